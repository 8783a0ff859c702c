// What the tests of pages share: a line for each fact, and tabs of a browser that keep what a page complains of and whom it asks.
// SPDX-License-Identifier: BSD-3-Clause
let failed = 0;
export const status = () => failed ? 1 : 0;
export function ok(name, holds, found = "") {
    console.log(`${holds ? "ok" : "not ok"} ${name}${holds ? "" : `: ${JSON.stringify(found)}`}`);
    failed += !holds;
}
export const wait = ms => new Promise(done => setTimeout(done, ms));

export async function open(browser, address, width, height, scheme = "light") {
    const tab = await browser.newPage();
    tab.complaints = [], tab.asked = [];
    tab.on("console", message => tab.complaints.push(message.text()));
    tab.on("pageerror", error => tab.complaints.push(String(error)));
    tab.on("request", request => tab.asked.push(request.url()));
    await tab.setViewport({ width, height });
    await tab.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }]);
    await tab.goto(address);
    return tab;
}

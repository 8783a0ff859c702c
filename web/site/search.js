// Search in the texts of all pages (pages.js), without a server: every word must occur; titles count more.
// SPDX-License-Identifier: BSD-3-Clause
"use strict";
(() => {
    const field = document.getElementById("search"), found = document.getElementById("found"), up = document.currentScript.dataset.up;
    field.form.addEventListener("submit", event => { event.preventDefault(); found.querySelector("a")?.click(); });
    field.addEventListener("input", () => {
        const words = field.value.toLowerCase().split(/\s+/).filter(Boolean), hits = [];
        for (const page of words.length ? window.pages : []) {
            const text = page.text.toLowerCase(), title = page.title.toLowerCase();
            const counts = words.map(w => text.split(w).length - 1 + 20 * (title.split(w).length - 1));
            if (counts.every(n => n > 0)) hits.push([counts.reduce((a, n) => a + Math.log(1 + n), 0) - Math.log(1 + text.length / 1e4), page, text.indexOf(words[0])]);
        }
        hits.sort((a, b) => b[0] - a[0]);
        found.replaceChildren(...hits.slice(0, 12).map(([, page, at]) => {
            const item = document.createElement("li"), link = document.createElement("a"), excerpt = document.createElement("span");
            link.href = up + page.url, link.textContent = page.title;
            excerpt.textContent = page.text.slice(Math.max(0, at - 50), at + 90);
            item.append(link, excerpt);
            return item;
        }));
        if (words.length && !hits.length) found.textContent = "nothing found";
        found.hidden = !words.length;
    });
    addEventListener("keydown", event => {
        if (event.key === "/" && document.activeElement !== field) { event.preventDefault(); field.focus(); }
        if (event.key === "Escape") { field.value = ""; found.hidden = true; field.blur(); }
    });
})();

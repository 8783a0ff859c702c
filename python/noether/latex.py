"""L in LaTeX, as the model writes it: kinetic - potential, and the definitions below.

SPDX-License-Identifier: BSD-3-Clause
"""
from __future__ import annotations

import re
from typing import Any, Dict, List, Optional, Tuple

GREEK = {"alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta", "iota", "kappa", "lambda", "mu", "nu", "xi",
         "pi", "rho", "sigma", "tau", "upsilon", "phi", "chi", "psi", "omega", "Gamma", "Delta", "Theta", "Lambda", "Xi",
         "Pi", "Sigma", "Phi", "Psi", "Omega"}
NAMED = {"sin", "cos", "tan", "sinh", "cosh", "tanh", "exp", "log", "min", "max"}
TOKEN = re.compile(r"\s*(?:(\d+(?:\.(?!\.)\d*)?(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?)|([^\W\d]\w*)|(<=|\.\.|.))", re.S)


def statements(text: str) -> List[str]:
    """The statements of a model: lines without comments, joined inside parentheses."""
    found: List[str] = []
    depth = 0
    for line in text.splitlines():
        line = re.sub(r'("[^"]*")|#.*', lambda m: m.group(1) or "", line)
        if depth:
            found[-1] += " " + line.strip()
        elif line.strip():
            found.append(line.strip())
        depth = max(0, depth + line.count("(") + line.count("[") - line.count(")") - line.count("]"))
    return found


def symbol(name: str) -> str:
    """m1 -> m_{1}, theta -> \\theta, kinetic_energy -> \\mathit{kinetic\\_energy}."""
    match = re.fullmatch(r"([^\W\d_]+)_?(\d*)", name)
    if match:
        stem, index = match.groups()
        stem = "\\" + stem if stem in GREEK else stem if len(stem) == 1 else f"\\mathit{{{stem}}}"
        return f"{stem}_{{{index}}}" if index else stem
    stem, _, rest = name.partition("_")
    if stem and (len(stem) == 1 or stem in GREEK):
        return f"{symbol(stem)}_{{\\mathit{{{rest.replace('_', chr(92) + '_')}}}}}"
    return "\\mathit{" + name.replace("_", "\\_") + "}"


class Parser:
    """An expression of the model language -> LaTeX, by precedence."""

    def __init__(self, text: str):
        self.tokens = [m.groups() for m in TOKEN.finditer(text) if m.group(0).strip()]
        self.at = 0

    def peek(self) -> str:
        if self.at >= len(self.tokens):
            return ""
        number, name, sign = self.tokens[self.at]
        return number or name or sign or ""

    def take(self, wanted: Optional[str] = None) -> str:
        found = self.peek()
        if wanted is not None and found != wanted:
            raise ValueError(f"expected {wanted}, found {found}")
        self.at += 1
        return found

    def sum(self) -> str:
        left = self.product()
        while self.peek() in ("+", "-"):
            left += f" {self.take()} {self.factor_of(self.product())}"
        return left

    @staticmethod
    def factor_of(text: str) -> str:
        return f"\\left({text}\\right)" if text.startswith("-") else text

    def product(self) -> str:
        if self.peek() == "-":
            self.take()
            return "-" + self.factor_of(self.product())
        if self.peek() == "+":
            self.take()
        top: List[Tuple[str, bool]] = [self.power()]
        bottom: List[Tuple[str, bool]] = []
        while self.peek() in ("*", "/", "mod"):
            sign = self.take()
            if sign == "mod":
                top = [(self._times(top, bottom) + " \\;\\mathrm{mod}\\; " + self._bare(self.power()), False)]
                bottom = []
                continue
            if sign == "*" and bottom:  # m/2*x is (m/2) x
                top, bottom = [(self._times(top, bottom), False)], []
            (top if sign == "*" else bottom).append(self.power())
        return self._times(top, bottom)

    def _times(self, top: List[Tuple[str, bool]], bottom: List[Tuple[str, bool]]) -> str:
        def product(factors: List[Tuple[str, bool]]) -> str:
            if len(factors) == 1:
                return factors[0][0]
            text = ""
            for latex, is_sum in factors:
                latex = f"\\left({latex}\\right)" if is_sum else latex
                text += (" \\cdot " if text and latex[0].isdigit() else " " if text else "") + latex
            return text
        if not bottom:
            return product(top) if len(top) > 1 else self._bare(top[0])
        return f"\\frac{{{product(top)}}}{{{product(bottom)}}}"

    @staticmethod
    def _bare(factor: Tuple[str, bool]) -> str:
        return f"\\left({factor[0]}\\right)" if factor[1] else factor[0]

    def power(self) -> Tuple[str, bool]:
        if self.peek() == "-":
            self.take()
            inner = self.power()
            return "-" + self._bare(inner), True
        base = self.atom()
        if self.peek() != "^":
            return base
        self.take()
        exponent = self.power()[0]
        latex, is_sum = base
        simple = not is_sum and (re.fullmatch(r"\\?\w+(_\{\w+\})?|\\left\(.*\\right\)|[\d.]+", latex) is not None
                                 or re.fullmatch(r"\\dot\{.*\}(_\{\w+\})?", latex) is not None)
        return (latex if simple else f"\\left({latex}\\right)") + f"^{{{exponent}}}", False

    def arguments(self) -> List[str]:
        self.take("(")
        found = [self.comparison()]
        while self.peek() == ",":
            self.take()
            found.append(self.comparison())
        self.take(")")
        return found

    def comparison(self) -> str:
        left = self.sum()
        while self.peek() in ("<", "<=", ">", "="):
            sign = self.take()
            if sign in ("<", ">") and self.peek() == "=":
                self.take()
                sign += "="
            left += {"<": " < ", "<=": " \\le ", ">": " > ", ">=": " \\ge ", "=": " = "}[sign] + self.sum()
        return left

    def atom(self) -> Tuple[str, bool]:
        if self.peek() == "(":
            self.take()
            inner = self.sum()
            self.take(")")
            return inner, True
        number, name, sign = self.tokens[self.at] if self.at < len(self.tokens) else (None, None, "the end")
        if number:
            self.take()
            mantissa, _, power = number.lower().partition("e")
            return (f"{mantissa} \\cdot 10^{{{int(power)}}}" if power else number), False
        if not name:
            raise ValueError(f"unexpected {sign}")
        self.take()
        if name == "sum" and self.peek() == "(":
            return self.series(), False
        if self.peek() == "(" and self.tokens[self.at][2] == "(":
            return self.call(name), False
        latex = symbol(name)
        if self.peek() == "[":
            self.take()
            index = [self.sum()]
            while self.peek() == ",":
                self.take()
                index.append(self.sum())
            self.take("]")
            latex = f"{latex}_{{{', '.join(index)}}}"
        if self.peek() == "'":
            self.take()
            stem, _, index_text = latex.partition("_{")
            latex = f"\\dot{{{stem}}}" + ("_{" + index_text if index_text else "")
        return latex, False

    def series(self) -> str:
        self.take("(")
        below, above = [], []
        while True:
            index = symbol(self.take())
            self.take("in")
            low = self.sum()
            self.take("..")
            high = self.sum()
            below.append(f"{index}={low}")
            above.append(high)
            if self.peek() == "by":
                self.take()
                below[-1] += f"\\ \\mathrm{{by}}\\ {self.sum()}"
            if self.peek() != ",":
                break
            self.take()
        self.take(")")
        signs = " ".join(f"\\sum_{{{b}}}^{{{a}}}" for b, a in zip(below, above))
        return f"{signs} {self.sum()}"

    def call(self, name: str) -> str:
        args = self.arguments()
        if name == "sqrt":
            return f"\\sqrt{{{args[0]}}}"
        if name == "abs":
            return f"\\left|{args[0]}\\right|"
        if name == "floor":
            return f"\\left\\lfloor {args[0]} \\right\\rfloor"
        if name == "p":
            return f"p_{{{args[0]}}}"
        if name == "if" and len(args) == 3:
            return f"\\begin{{cases}} {args[1]} & {args[0]} \\\\ {args[2]} & \\text{{else}} \\end{{cases}}"
        head = "\\" + name if name in NAMED else {"asin": "\\arcsin", "acos": "\\arccos", "atan": "\\arctan"}.get(
            name, f"\\operatorname{{{name}}}")
        return f"{head}\\left({', '.join(args)}\\right)"


def latex(expression: str) -> str:
    """An expression of the model language in LaTeX; what is not understood as it is."""
    parser = Parser(expression)
    try:
        found = parser.sum()
        if parser.at < len(parser.tokens):
            raise ValueError(parser.peek())
        return found
    except (ValueError, IndexError):
        return "\\mathtt{" + re.sub(r"([#$%&_{}])", r"\\\1", expression) + "}"


def model_latex(text: str) -> str:
    """L = T - V, and the definitions that it uses."""
    terms: List[Tuple[str, str]] = []
    definitions: List[str] = []
    for line in statements(text):
        word = re.match(r"(kinetic|potential|lagrangian)\s+(?!=)(.*)", line)
        if word:
            terms.append((word.group(1), word.group(2)))
            continue
        given = re.match(r"([^\W\d]\w*(?:\[[^\]]*\])?)\s*=\s*(.*)", line)
        if given:
            left = re.sub(r"\[(\w+)\s+in\s+.*\]", r"[\1]", given.group(1))
            definitions.append(f"{latex(left)} &= {latex(given.group(2))}")
    first = ""
    for kind, body in terms:
        parts = latex(body)
        if kind == "potential":
            first += " - " + (f"\\left({parts}\\right)" if _is_sum(parts) else parts)
        else:
            first += (" + " if first else "") + parts
    lines = [f"L &= {first.strip()}"] + definitions
    return "\\begin{aligned} " + " \\\\ ".join(lines) + " \\end{aligned}"


def _is_sum(text: str) -> bool:
    """Has it a + or - outside brackets?"""
    depth = 0
    for i, c in enumerate(text):
        depth += (c in "{(") - (c in "})")
        if depth == 0 and c in "+-" and (i == 0 or text[i - 1] == " ") or i == 0 and c == "-":
            return True
    return False

"""Expressions as a graph, in which equal ones are one node, and their text in the model language.

SPDX-License-Identifier: BSD-3-Clause
"""
from __future__ import annotations

import math
import operator
from typing import Any, Callable, Dict, List, Mapping, Sequence, Tuple

from .errors import ArgumentError, Error

__all__ = ["Expr", "TraceError", "FUNCTIONS", "RESERVED"]

FUNCTIONS = ("sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh", "exp", "log", "sqrt", "abs", "sign",
             "floor")
#: Names that a coordinate or a parameter cannot have.
RESERVED = {"t", "pi", "p", "energy", "work", "dissipated", "balance", "event", "atan2", "min", "max", "if", "mod", "and", "or", "sum",
            "table", "dot", "cross", "norm", *FUNCTIONS}


class TraceError(Error, TypeError):
    """A Python function does what an expression cannot: an ``if`` on a coordinate, a loop until, ``math.sin``."""


class Expr:
    """op(args), or a leaf: a number or a name."""

    __slots__ = ("op", "args", "name", "value", "__weakref__")
    __array_priority__ = 1000

    def __init__(self, op: str, args: Tuple["Expr", ...] = (), name: str = "", value: float = 0.0):
        self.op, self.args, self.name, self.value = op, args, name, value

    # ---- what Python asks of a number -----------------------------------------------------------------------

    def _refuse(self, what: str) -> Any:
        raise TraceError(what)

    def __float__(self) -> float:
        return self._refuse("a number is wanted where an expression is: write np.sin, not math.sin or float()")  # type: ignore[no-any-return]

    def __int__(self) -> int:
        return self._refuse("an integer is wanted where an expression is")  # type: ignore[no-any-return]

    __index__ = __int__
    __complex__ = __float__  # type: ignore[assignment]

    def __bool__(self) -> bool:
        return self._refuse("a decision on the value of an expression: write np.where(a < b, x, y), np.minimum, np.abs")  # type: ignore[no-any-return]

    def __iter__(self) -> Any:
        return self._refuse("an expression is one number: it has no elements")

    def __hash__(self) -> int:
        return id(self)

    def __eq__(self, other: object) -> Any:
        return self is other or self._refuse("== on an expression: expected < or <=")

    def __ne__(self, other: object) -> Any:
        return self._refuse("!= on an expression: expected < or <=")

    def __add__(self, o: Any) -> "Expr": return binary("+", self, o)
    def __radd__(self, o: Any) -> "Expr": return binary("+", o, self)
    def __sub__(self, o: Any) -> "Expr": return binary("-", self, o)
    def __rsub__(self, o: Any) -> "Expr": return binary("-", o, self)
    def __mul__(self, o: Any) -> "Expr": return binary("*", self, o)
    def __rmul__(self, o: Any) -> "Expr": return binary("*", o, self)
    def __truediv__(self, o: Any) -> "Expr": return binary("/", self, o)
    def __rtruediv__(self, o: Any) -> "Expr": return binary("/", o, self)
    def __pow__(self, o: Any) -> "Expr": return binary("^", self, o)
    def __rpow__(self, o: Any) -> "Expr": return binary("^", o, self)
    def __mod__(self, o: Any) -> "Expr": return binary("mod", self, o)
    def __rmod__(self, o: Any) -> "Expr": return binary("mod", o, self)
    def __lt__(self, o: Any) -> "Expr": return binary("<", self, o)
    def __le__(self, o: Any) -> "Expr": return binary("<=", self, o)
    def __gt__(self, o: Any) -> "Expr": return binary("<", o, self)
    def __ge__(self, o: Any) -> "Expr": return binary("<=", o, self)
    def __and__(self, o: Any) -> "Expr": return binary("*", self, o)
    def __or__(self, o: Any) -> "Expr": return function("max", self, o)
    __rand__, __ror__ = __and__, __or__
    def __invert__(self) -> "Expr": return binary("-", 1, self)
    def __neg__(self) -> "Expr": return function("neg", self)
    def __pos__(self) -> "Expr": return self
    def __abs__(self) -> "Expr": return function("abs", self)
    def conjugate(self) -> "Expr": return self

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
        from .trace import ufunc_of_arrays
        return ufunc_of_arrays(ufunc, method, inputs, options)

    def __array_function__(self, what: Any, types: Any, args: Any, options: Any) -> Any:
        from .trace import function_of_arrays
        return function_of_arrays(what, args, options)

    def __repr__(self) -> str:
        return Writer([self]).line(self)


# What NumPy calls on elements of an array of objects.
for _name, _op in {**{n: n for n in FUNCTIONS}, "arcsin": "asin", "arccos": "acos", "arctan": "atan"}.items():
    if not hasattr(Expr, _name):
        setattr(Expr, _name, lambda self, _op=_op: function(_op, self))


def number(value: Any) -> Expr:
    """A leaf that is a number."""
    x = float(value)
    if not math.isfinite(x):
        raise TraceError(f"{x} in an expression: expected finite numbers")
    return Expr("number", (), "", x)


def name(text: str) -> Expr:
    """A leaf: a coordinate, a velocity, a parameter, t."""
    return Expr("name", (), text)


def expr(value: Any) -> Expr:
    """An expression from an expression or a number."""
    if isinstance(value, Expr):
        return value
    if isinstance(value, complex):
        raise TraceError("a complex number in an expression")
    if getattr(value, "shape", None) == () and hasattr(value, "item"):
        value = value.item()
        if isinstance(value, Expr):
            return value
    if isinstance(value, (str, bytes)) or not hasattr(value, "__float__"):
        raise TraceError(f"{type(value).__name__} in an expression: expected numbers")
    return number(value)


NUMBERS: Dict[str, Callable[[float, float], float]] = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv, "^": operator.pow,
    "<": operator.lt, "<=": operator.le, "mod": operator.mod}


def binary(op: str, a: Any, b: Any) -> Any:
    """a op b, with what is certain simplified; NotImplemented for arrays, which spread it over their elements."""
    if getattr(a, "shape", ()) != () or getattr(b, "shape", ()) != ():
        return NotImplemented
    x, y = expr(a), expr(b)
    if x.op == y.op == "number":
        try:
            return number(NUMBERS[op](x.value, y.value))
        except (ArithmeticError, TypeError) as error:
            raise TraceError(f"{x.value:g} {op} {y.value:g}: {error}") from None
    left, right = (e.value if e.op == "number" else None for e in (x, y))
    if op == "+" and left == 0 or op == "*" and left == 1:
        return y
    if op in ("+", "-") and right == 0 or op in ("*", "/", "^") and right == 1:
        return x
    if op == "-" and left == 0:
        return function("neg", y)
    if op == "*" and (left == 0 or right == 0):
        return number(0)
    return Expr(op, (x, y))


def function(op: str, *args: Any) -> Expr:
    """op(args)."""
    found = tuple(expr(a) for a in args)
    if op == "neg" and found[0].op == "number":
        return number(-found[0].value)
    return Expr(op, found)


def where(condition: Any, x: Any, y: Any) -> Expr:
    """x where the condition holds, else y."""
    c = expr(condition)
    return Expr("if", (c, expr(x), expr(y)))


def asinh(x: Any) -> Expr:
    """log(k) with k = x + s, s = sqrt(x^2 + 1), as log((k^2 + 1)/(2 s)): k is nothing but rounding far below 0, where
    k^2 + 1 is 1 and 2 s the inverse of k.  Smooth, and right to rounding for all x, with its derivative."""
    a = expr(x)
    s = function("sqrt", a ** 2 + 1)
    return function("log", ((a + s) ** 2 + 1) / (2 * s))


LEVEL = {"+": 1, "-": 1, "neg": 2, "*": 3, "/": 3, "^": 5}
SHARED, LONG, DEEP = 16, 3000, 60  # characters from which a repeated expression, or any, is given a name; nesting


class Writer:
    """The text of expressions; what occurs twice becomes a definition above them."""

    def __init__(self, roots: Sequence[Expr], taken: Sequence[str] = ()):
        self.taken = set(taken) | RESERVED
        self.definitions: List[str] = []
        self.count = 0
        self.text: Dict[int, Tuple[str, int, int]] = {}  # node -> text, level, depth of its parentheses
        self.keep: List[Expr] = []
        order: List[Expr] = []
        seen: Dict[int, int] = {}
        same: Dict[Any, Expr] = {}
        self.node: Dict[int, Expr] = {}  # node -> the node that equals it
        stack: List[Tuple[Expr, bool]] = [(r, False) for r in reversed(roots)]
        while stack:
            e, done = stack.pop()
            if id(e) in self.node:
                continue
            if not done:
                stack.append((e, True))
                stack.extend((a, False) for a in e.args if id(a) not in self.node)
                continue
            key: Any = (e.op, e.name, repr(e.value), tuple(id(self.node[id(a)]) for a in e.args))
            if key not in same:
                same[key] = e
                order.append(e)
            self.node[id(e)] = same[key]
            self.keep.append(e)
        for e in order:  # how often each occurs
            for a in e.args:
                k = id(self.node[id(a)])
                seen[k] = seen.get(k, 0) + 1
        for r in roots:
            k = id(self.node[id(r)])
            seen[k] = seen.get(k, 0) + 1
        for e in order:
            text, level, depth = self._write(e)
            if e.args and e.op not in ("<", "<=") and (
                    seen.get(id(e), 0) > 1 and len(text) > SHARED or len(text) > LONG or depth > DEEP):
                text, level, depth = self._define(text), 9, 0
            self.text[id(e)] = (text, level, depth)

    def _define(self, text: str) -> str:
        while True:
            self.count += 1
            known = f"e{self.count}"
            if known not in self.taken:
                break
        self.definitions.append(f"{known} = {text}")
        return known

    def _of(self, e: Expr) -> Tuple[str, int, int]:
        return self.text[id(self.node[id(e)])]

    def line(self, e: Expr) -> str:
        """The text of a root."""
        return self._of(e)[0]

    def _argument(self, e: Expr) -> str:
        text = self._of(e)[0]
        return f"if({text}, 1, 0)" if e.op in ("<", "<=") else text

    def _inside(self, e: Expr, level: int) -> Tuple[str, int]:
        """In parentheses where it binds less than that."""
        text, own, depth = self._of(e)
        if e.op in ("<", "<="):
            return f"if({text}, 1, 0)", depth + 1
        return (text, depth) if own >= level else (f"({text})", depth + 1)

    def _write(self, e: Expr) -> Tuple[str, int, int]:
        if e.op == "name":
            return e.name, 9, 0
        if e.op == "number":
            x = e.value
            text = str(int(x)) if x == int(x) and abs(x) < 1e15 else repr(x)
            return (text, 9, 0) if x >= 0 and text[0] != "-" else (text, 2, 0)
        if e.op in ("<", "<="):
            (a, d), (b, f) = self._inside(e.args[0], 1), self._inside(e.args[1], 1)
            return f"{a} {e.op} {b}", 0, max(d, f)
        if e.op in LEVEL and e.op != "neg":
            level = LEVEL[e.op]
            (a, d), (b, f) = (self._inside(e.args[0], level + (e.op == "^")),
                              self._inside(e.args[1], level + (e.op in "-/*+" and (e.op != "+" or level < 1))
                                           if e.op != "^" else 6))
            sign = e.op if e.op in "*/^" else f" {e.op} "
            return f"{a}{sign}{b}", level, max(d, f)
        if e.op == "neg":
            a, d = self._inside(e.args[0], 3)
            return f"-{a}", 2, d
        if e.op == "mod":
            (a, d), (b, f) = self._inside(e.args[0], 4), self._inside(e.args[1], 4)
            return f"({a} mod {b})", 9, max(d, f) + 1
        if e.op == "if":
            c = e.args[0]
            test = self._of(c)[0] if c.op in ("<", "<=") else f"0 < {self._inside(c, 1)[0]}"
            then, other = self._argument(e.args[1]), self._argument(e.args[2])
            return f"if({test}, {then}, {other})", 9, 1 + max(self._of(a)[2] for a in e.args)
        return (f"{e.op}({', '.join(self._argument(a) for a in e.args)})", 9,
                1 + max(self._of(a)[2] for a in e.args))


def model(parameters: Dict[str, Any], coordinates: Sequence[str], L: Expr, forces: Dict[str, Expr],
          constraints: Dict[str, Expr]) -> str:
    """The text of a model; constraints are expressions that stay 0, by their names."""
    from .words import word
    writer = Writer([L, *forces.values(), *constraints.values()], [*parameters, *coordinates, *constraints])
    lines = []
    if parameters:
        lines.append("parameter  " + ", ".join(f"{n} = {word(x, n)}" for n, x in parameters.items()))
    lines.append("coordinate " + ", ".join(coordinates))
    lines += writer.definitions
    lines.append("lagrangian " + writer.line(L))
    lines += [f"force      {q} = {writer.line(f)}" for q, f in forces.items()]
    lines += [f"constraint {name}: {writer.line(g)} = 0" for name, g in constraints.items()]
    return "\n".join(lines) + "\n"


def named(constraints: Any, taken: Sequence[str]) -> Dict[str, Any]:
    """Constraints by their names: a mapping as it is, of a list or of one alone constraint1, constraint2, .."""
    if isinstance(constraints, Mapping):
        names = list(constraints)
        if not all(isinstance(n, str) and n.isidentifier() for n in names) or set(names) & (RESERVED | set(taken)):
            raise ArgumentError(f"constraints: expected names that are new, not {', '.join(map(repr, names))}")
        return dict(constraints)
    made: Dict[str, Any] = {}
    for g in constraints:
        name = plain_name(f"constraint{len(made) + 1}", [*taken, *made])
        made[name] = g
    return made


def plain_name(text: str, taken: Sequence[str]) -> str:
    """A name of the model language: letters, digits and _, not reserved, not taken."""
    kept = "".join(c if c == "_" or c.isalnum() else "_" for c in text).strip("_") or "x"
    if kept[0].isdigit():
        kept = "x" + kept
    while kept in RESERVED or kept in taken:
        kept += "_"
    return kept

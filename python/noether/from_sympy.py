"""A Lagrangian of SymPy -> the text of a model.

SPDX-License-Identifier: BSD-3-Clause
"""
from __future__ import annotations

from typing import Any, Dict, List, Mapping, Sequence

from . import expression
from .errors import ArgumentError
from .expression import Expr, TraceError, function, number, where


def _functions() -> Dict[str, Any]:
    one = {n: n for n in ("sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh", "exp", "log", "sign", "floor")}
    return {**{n: (lambda x, _op=op: function(_op, x)) for n, op in {**one, "Abs": "abs"}.items()},
            "atan2": lambda y, x: function("atan2", y, x),
            "sec": lambda x: 1 / function("cos", x), "csc": lambda x: 1 / function("sin", x),
            "cot": lambda x: function("cos", x) / function("sin", x),
            "coth": lambda x: function("cosh", x) / function("sinh", x),
            "sech": lambda x: 1 / function("cosh", x), "csch": lambda x: 1 / function("sinh", x),
            "asinh": expression.asinh,
            "acosh": lambda x: function("log", x + function("sqrt", x ** 2 - 1)),
            "atanh": lambda x: function("log", (1 + x) / (1 - x)) / 2,
            "acot": lambda x: function("atan", 1 / x),
            "ceiling": lambda x: -function("floor", -x),
            "Heaviside": lambda x, *at: where(x < 0, 0, 1),
            "Mod": lambda x, y: x % y,
            "sinc": lambda x: where(function("abs", x) < 1e-8, 1, function("sin", x) / where(function("abs", x) < 1e-8, 1, x))}


class _Converter:
    """SymPy's tree -> expressions."""

    def __init__(self, leaves: Dict[Any, Expr]):
        import sympy
        self.sympy, self.leaves, self.functions = sympy, leaves, _functions()

    def __call__(self, root: Any) -> Expr:
        done: Dict[Any, Expr] = {}
        stack = [(root, False)]
        while stack:
            e, ready = stack.pop()
            if e in done:
                continue
            args = self._arguments(e)
            if ready or not args:
                done[e] = self._one(e, [done[a] for a in args])
            else:
                stack.append((e, True))
                stack.extend((a, False) for a in args if a not in done)
        return done[root]

    def _arguments(self, e: Any) -> List[Any]:
        if e in self.leaves or e.is_Number or isinstance(e, self.sympy.Derivative):
            return []
        if isinstance(e, self.sympy.Piecewise):
            return [x for pair in e.args for x in (pair[0], pair[1]) if x not in (True, self.sympy.true)]
        return list(e.args)

    def _one(self, e: Any, args: Sequence[Expr]) -> Expr:
        s = self.sympy
        if e in self.leaves:
            return self.leaves[e]
        if e.is_Rational:
            return number(e.p) / number(e.q) if e.q != 1 else number(e.p)
        if e.is_Number and e.is_finite and e.is_real:
            return number(e)
        if e is s.pi:
            return expression.name("pi")
        if e.is_NumberSymbol:
            return number(e.evalf(17))
        if e is s.I or e.is_Number:
            raise TraceError(f"{e} in L: expected real, finite numbers")
        if e.is_Add:
            return self._sum(e, args)
        if e.is_Mul:
            return self._product(e, args)
        if e.is_Pow:
            base, power = args
            if e.exp == s.Rational(1, 2):
                return function("sqrt", base)
            if e.exp == s.Rational(-1, 2):
                return 1 / function("sqrt", base)
            if e.exp.is_Number and e.exp.is_negative:
                return 1 / self._power(base, number(-e.exp) if e.exp.is_Integer else -power)
            if e.base is s.E:
                return function("exp", power)
            return self._power(base, power)
        if isinstance(e, (s.Max, s.Min)):
            result = args[0]
            for x in args[1:]:
                result = function("max" if isinstance(e, s.Max) else "min", result, x)
            return result
        if isinstance(e, s.Piecewise):
            return self._piecewise(e, list(args))
        if isinstance(e, (s.StrictLessThan, s.LessThan)):
            return args[0] < args[1] if isinstance(e, s.StrictLessThan) else args[0] <= args[1]
        if isinstance(e, (s.StrictGreaterThan, s.GreaterThan)):
            return args[1] < args[0] if isinstance(e, s.StrictGreaterThan) else args[1] <= args[0]
        if isinstance(e, s.And):
            result = args[0]
            for x in args[1:]:
                result = result * x
            return result
        if isinstance(e, s.Or):
            result = args[0]
            for x in args[1:]:
                result = function("max", result, x)
            return result
        if isinstance(e, s.Not):
            return 1 - args[0]
        made = self.functions.get(type(e).__name__)
        if made is not None:
            found: Expr = made(*args)
            return found
        if isinstance(e, s.Derivative):
            raise TraceError(f"{e} in L: expected first derivatives of the coordinates by time")
        if isinstance(e, s.core.function.AppliedUndef):
            raise ArgumentError(f"{e} is no coordinate: name it in q, or substitute what it is (a generalized speed by its "
                                "derivative: subs of the kinematic equations)")
        if e.is_Symbol:
            raise ArgumentError(f"{e} has no value: give it in params")
        raise TraceError(f"{type(e).__name__}: no such function in the model language; rewrite it")

    @staticmethod
    def _power(base: Expr, power: Expr) -> Expr:
        found: Expr = base ** power
        return found

    @staticmethod
    def _sum(e: Any, args: Sequence[Expr]) -> Expr:
        result = args[0]
        for x in args[1:]:
            if x.op == "neg":
                result = result - x.args[0]
            else:
                result = result + x
        return result

    def _product(self, e: Any, args: Sequence[Expr]) -> Expr:
        """With one division: SymPy has x/y as x*y**-1."""
        top: List[Expr] = []
        bottom: List[Expr] = []
        sign = 1
        for original, x in zip(e.args, args):
            if original.is_Rational:
                sign *= 1 if original.p > 0 else -1
                if abs(original.p) != 1:
                    top.append(number(abs(original.p)))
                if original.q != 1:
                    bottom.append(number(original.q))
            elif x.op == "/" and x.args[0].op == "number" and x.args[0].value == 1:
                bottom.append(x.args[1])
            else:
                top.append(x)
        result = number(1) if not top else top[0]
        for x in top[1:]:
            result = result * x
        for x in bottom:
            result = result / x
        return result if sign > 0 else -result

    def _piecewise(self, e: Any, args: List[Expr]) -> Expr:
        pieces = []
        for pair in e.args:
            value = args.pop(0)
            always = pair[1] in (True, self.sympy.true)
            pieces.append((value, None if always else args.pop(0)))
        if pieces[-1][1] is not None:
            raise TraceError("Piecewise: expected a last piece for everywhere else, (x, True)")
        result = pieces[-1][0]
        for value, condition in reversed(pieces[:-1]):
            result = where(condition, value, result)
        return result


def sympy_model(L: Any, q: Any, params: Mapping[Any, Any], t: Any, forces: Mapping[Any, Any], constraints: Any = ()) -> str:
    """The text of the model with this Lagrangian."""
    import sympy
    L = sympy.sympify(L)
    coordinates = [sympy.sympify(x) for x in (q if isinstance(q, (list, tuple, sympy.MatrixBase)) else [q])]
    functions = [x for x in coordinates if isinstance(x, sympy.core.function.AppliedUndef) and len(x.args) == 1]
    if len(functions) < len(coordinates) or not coordinates:
        raise ArgumentError("q: expected functions of time, dynamicsymbols('x y') or sympy.Function('x')(t)")
    time = functions[0].args[0] if t is None else t
    if any(x.args[0] != time for x in functions):
        raise ArgumentError(f"q: expected functions of one time, {time}")
    taken: List[str] = []
    names: Dict[Any, str] = {}
    for x in [*functions, *[sympy.sympify(k) for k in params]]:
        names[x] = expression.plain_name(x.func.__name__ if x in functions else str(x), taken)
        taken.append(names[x])
    leaves: Dict[Any, Expr] = {time: expression.name("t")}
    for x in functions:
        leaves[x] = expression.name(names[x])
        leaves[x.diff(time)] = expression.name(names[x] + "'")
    values: Dict[str, Any] = {}
    for key, value in params.items():
        symbol = sympy.sympify(key)
        leaves[symbol] = expression.name(names[symbol])
        values[names[symbol]] = value if isinstance(value, (str, int)) else float(value)
    if L.has(sympy.Derivative):
        L = L.doit()
    held = constraints if isinstance(constraints, (Mapping, list, tuple, sympy.MatrixBase)) else [constraints]
    convert = _Converter(leaves)
    return expression.model(values, [names[x] for x in functions], convert(L),
                            {names[sympy.sympify(x)]: convert(sympy.sympify(f).doit()) for x, f in forces.items()},
                            {n: convert(sympy.sympify(g)) for n, g in expression.named(held, taken).items()})

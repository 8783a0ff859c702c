"""A Lagrangian in Python -> the text of a model: the function is called once, with symbols.

SPDX-License-Identifier: BSD-3-Clause
"""
from __future__ import annotations

import inspect
import linecache
import math
import traceback
from typing import Any, Callable, Dict, List, Mapping, Optional, Sequence, Tuple

import numpy as np

from . import expression
from .errors import ArgumentError
from .expression import Expr, TraceError, binary, expr, function, where

# ---- NumPy's functions as expressions ------------------------------------------------------------------------

UFUNC: Dict[str, Callable[..., Any]] = {
    **{n: (lambda *a, _op=op: binary(_op, *a)) for n, op in
       {"add": "+", "subtract": "-", "multiply": "*", "divide": "/", "true_divide": "/", "power": "^", "float_power": "^",
        "remainder": "mod", "mod": "mod", "less": "<", "less_equal": "<="}.items()},
    **{n: (lambda *a, _op=op: function(_op, *a)) for n, op in
       {"negative": "neg", "absolute": "abs", "fabs": "abs", "arcsin": "asin", "arccos": "acos", "arctan": "atan",
        "asin": "asin", "acos": "acos", "atan": "atan", "arctan2": "atan2", "atan2": "atan2", "maximum": "max",
        "fmax": "max", "minimum": "min", "fmin": "min", "logical_or": "max",
        **{n: n for n in ("sin", "cos", "tan", "sinh", "cosh", "tanh", "exp", "log", "sqrt", "sign", "floor")}}.items()},
    "greater": lambda a, b: binary("<", b, a),
    "greater_equal": lambda a, b: binary("<=", b, a),
    "logical_and": lambda a, b: binary("*", a, b),
    "bitwise_and": lambda a, b: binary("*", a, b),
    "bitwise_or": lambda a, b: function("max", a, b),
    "logical_not": lambda a: binary("-", 1, a),
    "invert": lambda a: binary("-", 1, a),
    "positive": lambda a: expr(a),
    "conjugate": lambda a: expr(a),
    "square": lambda a: binary("^", a, 2),
    "reciprocal": lambda a: binary("/", 1, a),
    "hypot": lambda a, b: function("sqrt", expr(a) ** 2 + expr(b) ** 2),
    "exp2": lambda a: binary("^", 2, a),
    "expm1": lambda a: function("exp", a) - 1,
    "log2": lambda a: function("log", a) / math.log(2),
    "log10": lambda a: function("log", a) / math.log(10),
    "log1p": lambda a: function("log", expr(a) + 1),
    "cbrt": lambda a: function("sign", a) * function("abs", a) ** (1 / 3),
    "ceil": lambda a: -function("floor", -expr(a)),
    "arcsinh": expression.asinh, "asinh": expression.asinh,
    "arccosh": lambda a: function("log", expr(a) + function("sqrt", expr(a) ** 2 - 1)),
    "arctanh": lambda a: function("log", (1 + expr(a)) / (1 - expr(a))) / 2,
    "deg2rad": lambda a: expr(a) * (math.pi / 180), "radians": lambda a: expr(a) * (math.pi / 180),
    "rad2deg": lambda a: expr(a) * (180 / math.pi), "degrees": lambda a: expr(a) * (180 / math.pi),
}


class Symbols(np.ndarray):  # type: ignore[type-arg]
    """An array of expressions."""

    def mean(self, *args: Any, **options: Any) -> Any:
        return np.mean(self, *args, **options)

    def dot(self, other: Any) -> Any:  # type: ignore[override]
        return np.dot(self, other)

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
        return ufunc_of_arrays(ufunc, method, inputs, options)

    def __array_function__(self, what: Any, types: Any, args: Any, options: Any) -> Any:
        return function_of_arrays(what, args, options)


def symbols(values: Any) -> Any:
    """An array of objects as Symbols; what is no array as it is."""
    return values.view(Symbols) if isinstance(values, np.ndarray) and values.dtype == object and values.ndim else values


def _plain(value: Any) -> Any:
    return value.view(np.ndarray) if isinstance(value, Symbols) else value


def ufunc_of_arrays(ufunc: Any, method: str, inputs: Sequence[Any], options: Mapping[str, Any]) -> Any:
    """A ufunc of NumPy, element by element."""
    plain = [_plain(x) for x in inputs]
    if ufunc.__name__ in ("matmul", "vecdot"):
        return symbols(np.dot(*[np.asarray(x, dtype=object) for x in plain]))
    made = UFUNC.get(ufunc.__name__)
    if made is None:
        raise TraceError(f"np.{ufunc.__name__} has no expression in the model language")
    unusual = [k for k, o in options.items() if not (o is None or k in ("axis", "dtype", "casting", "subok")
                                                     or (k == "keepdims" and not o) or (k == "where" and o is True)
                                                     or (k == "initial" and o is np._NoValue))]
    if unusual:
        raise TraceError(f"np.{ufunc.__name__} with {', '.join(unusual)}: expected the arguments alone")
    if method == "__call__":
        if all(np.ndim(x) == 0 if not isinstance(x, Expr) else True for x in plain):
            return made(*plain)
        return symbols(np.frompyfunc(made, len(plain), 1)(*[_boxed(x) for x in plain]))
    if method in ("reduce", "accumulate") and ufunc.nin == 2:
        x = np.asarray(plain[0], dtype=object)
        axis = options.get("axis", 0)
        step = np.frompyfunc(made, 2, 1)
        if method == "accumulate":
            return symbols(step.accumulate(x, axis=axis))
        if axis is None:
            x, axis = x.ravel(), 0
        for a in sorted((axis % x.ndim,) if not isinstance(axis, tuple) else [k % x.ndim for k in axis], reverse=True):
            x = step.reduce(x, axis=a) if np.asarray(x, dtype=object).shape[a] else np.zeros(np.delete(x.shape, a))
        return symbols(x)
    if method == "outer":
        a, b = (np.asarray(x, dtype=object) for x in plain)
        return symbols(np.frompyfunc(made, 2, 1).outer(a, b))
    raise TraceError(f"np.{ufunc.__name__}.{method} cannot be traced")


def _boxed(value: Any) -> Any:
    """An array of objects of one expression, which frompyfunc does not ask for more."""
    if isinstance(value, Expr):
        box = np.empty((), dtype=object)
        box[()] = value
        return box
    return value


def _norm(x: Any, ord: Any = None, axis: Any = None, keepdims: bool = False) -> Any:
    if ord not in (None, 2, "fro"):
        raise TraceError("np.linalg.norm: expected the Euclidean one")
    return np.sqrt(np.sum(np.asarray(x).view(Symbols) ** 2, axis=axis))


def _where(c: Any, *pair: Any) -> Any:
    if len(pair) != 2:
        raise TraceError("np.where: expected three arguments")
    if all(isinstance(x, Expr) or np.ndim(_plain(x)) == 0 for x in (c, *pair)):
        return where(c, *pair)
    return symbols(np.frompyfunc(where, 3, 1)(*[_boxed(_plain(x)) for x in (c, *pair)]))


FUNCTION: Dict[str, Callable[..., Any]] = {
    "norm": _norm, "where": _where,
    "clip": lambda x, low, high: np.minimum(np.maximum(x, low), high),
    "dot": lambda a, b: _dot(a, b), "vdot": lambda a, b: _dot(a, b), "inner": lambda a, b: _dot(a, b),
}


def _dot(a: Any, b: Any) -> Any:
    if isinstance(a, Expr) or isinstance(b, Expr):
        return binary("*", a, b) if np.ndim(_plain(a)) == 0 or isinstance(a, Expr) else a * b
    return symbols(np.dot(np.asarray(_plain(a), dtype=object), np.asarray(_plain(b), dtype=object)))


def function_of_arrays(what: Any, args: Sequence[Any], options: Mapping[str, Any]) -> Any:
    """A function of NumPy that is no ufunc."""
    own = FUNCTION.get(what.__name__)
    if own is not None:
        return own(*args, **options)

    def open_up(x: Any) -> Any:
        if isinstance(x, Symbols):
            return x.view(np.ndarray)
        if isinstance(x, Expr):
            return _boxed(x)
        return type(x)(open_up(y) for y in x) if type(x) in (list, tuple) else x

    return symbols(what(*[open_up(a) for a in args], **{k: open_up(a) for k, a in options.items()}))


# ---- a function -> a model -----------------------------------------------------------------------------------

def _arguments(L: Callable[..., Any], given: Mapping[str, Any], what: str, places: str) -> Tuple[bool, List[str]]:
    """Has it t?  The names of its parameters."""
    try:
        names = [p.name for p in inspect.signature(L).parameters.values()
                 if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY) and p.default is p.empty
                 or p.name in given]
    except (TypeError, ValueError):
        raise TypeError(f"{what}: expected a Python function, whose arguments can be read") from None
    own = [n for n in names if n not in given]
    count = len(places.split(","))
    if len(own) not in (count, count + 1):
        raise ArgumentError(f"{what}({', '.join(names)}): expected ({places}) or (t, {places}) and parameters, a value for each "
                            f"in params; it has {', '.join(own) or 'none'} without a value")
    if count == 1 and len(own) == 2 and own[0] not in ("t", "time"):
        raise ArgumentError(f"{what}({', '.join(names)}): expected (q), or (t, q): a relation of positions, not of velocities")
    return len(own) > count, [n for n in names if n in given]


def _call(L: Callable[..., Any], arguments: Sequence[Any], named: Mapping[str, Any]) -> Any:
    """Calls the function; what cannot be traced is an error with its line."""
    try:
        return L(*arguments, **named)
    except TraceError as error:
        reason, cause = str(error), error
    except (TypeError, AttributeError, ValueError) as raised:
        found = raised.__context__ if isinstance(raised.__context__, TraceError) else raised
        reason, cause = str(found), raised  # type: ignore[assignment]
    own = getattr(getattr(L, "__code__", None), "co_filename", None)
    frames = [f for f in traceback.extract_tb(cause.__traceback__) if f.filename == own] if own else []
    if not frames:
        raise TraceError(reason) from cause
    place = frames[-1]
    line = (place.line or linecache.getline(place.filename, place.lineno or 0)).strip()
    raise TraceError(f"{place.filename}:{place.lineno}: {reason}\n    {line}") from cause


def _scalar(value: Any, what: str) -> Expr:
    if isinstance(value, np.ndarray) and value.size == 1:
        value = value.reshape(-1)[0]
    if value is None:
        raise TraceError(f"{what} returned None: is a return missing?")
    if np.ndim(_plain(value)) and not isinstance(value, Expr):
        raise TraceError(f"{what}: expected one number, not an array of the shape {np.shape(_plain(value))}; np.sum?")
    return expr(value)


def coordinate_names(q: Any) -> List[str]:
    """3 -> q1, q2, q3; "x y" or ["x", "y"] -> x, y."""
    if isinstance(q, (int, np.integer)) and not isinstance(q, bool):
        if not 1 <= q <= 4000:
            raise ArgumentError(f"{q} coordinates: expected 1 to 4000")
        return ["q"] if q == 1 else [f"q{i + 1}" for i in range(int(q))]
    names = q.replace(",", " ").split() if isinstance(q, str) else list(q)
    if not names or not all(isinstance(n, str) and n.isidentifier() for n in names) or len(set(names)) < len(names):
        raise ArgumentError(f"coordinates: expected a number or different names, not {q!r}")
    return names


def trace_model(L: Callable[..., Any], q: Any, params: Mapping[str, Any], force: Optional[Callable[..., Any]],
                constraint: Optional[Callable[..., Any]] = None) -> str:
    """The text of the model with this Lagrangian."""
    names = coordinate_names(q)
    values: Dict[str, Any] = {}
    symbol: Dict[str, Any] = {}
    for known, value in params.items():
        if np.ndim(value) == 0:
            values[known] = value.item() if isinstance(value, (np.ndarray, np.generic)) else value
            symbol[known] = expression.name(known)
            continue
        array = np.asarray(value, dtype=np.float64)
        box = np.empty(array.shape, dtype=object)
        for index in np.ndindex(array.shape):
            member = known + "_" + "_".join(str(i + 1) for i in index)
            values[member] = float(array[index])
            box[index] = expression.name(member)
        symbol[known] = symbols(box)
    clash = (set(values) | set(names)) & expression.RESERVED | set(values) & set(names)
    if clash:
        raise ArgumentError(f"{', '.join(sorted(clash))}: the name has a meaning already; take another")

    def run(f: Callable[..., Any], what: str, places: str = "q, v") -> Any:
        timed, own = _arguments(f, symbol, what, places)
        place = [symbols(np.array([expression.name(n) for n in names] + [None], dtype=object)[:-1].copy()),
                 symbols(np.array([expression.name(n + "'") for n in names] + [None], dtype=object)[:-1].copy())]
        return _call(f, ([expression.name("t")] if timed else []) + place[:len(places.split(","))], {n: symbol[n] for n in own})

    lagrangian = _scalar(run(L, "L"), "L")
    forces: Dict[str, Expr] = {}
    if force is not None:
        found = np.atleast_1d(np.asarray(_plain(run(force, "force")), dtype=object)).ravel()
        if len(found) != len(names):
            raise ArgumentError(f"force: expected {len(names)} numbers, one for each coordinate, not {len(found)}")
        forces = {n: expr(f) for n, f in zip(names, found)}
    held: Dict[str, Expr] = {}
    if constraint is not None:
        given = run(constraint, "constraint", "q")
        given = given if isinstance(given, Mapping) else np.atleast_1d(np.asarray(_plain(given), dtype=object)).ravel()
        held = {n: _scalar(g, f"constraint {n}") for n, g in expression.named(given, [*names, *values]).items()}
    return expression.model(values, names, lagrangian, forces, held)

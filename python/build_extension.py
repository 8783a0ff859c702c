"""noether.h and private.h -> noether/_noether.abi3.so, by cffi in API mode, with libnoether.a inside.

SPDX-License-Identifier: BSD-3-Clause

NOETHER_BUILD names the folder of a build ("build" beside this folder, made by make where it is not there yet),
NOETHER_MAKE words for that make (WITHOUT="suitesparse arpack" leaves the libraries with GPL modules out).  HDF5, FLINT, OpenBLAS
and others that few runs call are loaded when they are called, as by libnoether.so (cli/late.c): import takes 20 ms less.  With
NOETHER_LINK=1 the extension names them, so that auditwheel can take them into a wheel.
"""
import os
import pathlib
import platform
import re
import shlex
import subprocess
import sys

import cffi

here = pathlib.Path(__file__).resolve().parent
root = here.parent
build = pathlib.Path(os.environ.get("NOETHER_BUILD", root / "build")).absolute()
words = shlex.split(os.environ.get("NOETHER_MAKE", ""))


def declarations(path):
    """The declarations of a header: without preprocessor lines and what is for C++ alone."""
    text = path.read_text()
    text = re.sub(r"^#ifdef __cplusplus\n.*?^#endif\n", "", text, flags=re.M | re.S)
    return re.sub(r"^#.*\n", "", text, flags=re.M)


def make(*targets):
    """Output of make with these targets; an error message where it fails."""
    command = ["make", "-s", "-C", str(root), f"B={build}", *words, *targets]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True)
    if done.returncode:
        sys.exit(f"noether: '{shlex.join(command)}' failed; README.md, \"Machines and libraries\", says what it needs")
    return done.stdout


linked = os.environ.get("NOETHER_LINK") or platform.machine() != "x86_64"
late = str(build / ("linked" if linked else "late") / "shared.o")
make(f"-j{os.cpu_count() or 1}", str(build / "libnoether.a"), late)
libraries = shlex.split(make("libraries"))
includes = [word[2:] for word in shlex.split(make("includes")) if word.startswith("-I")]

ffi = cffi.FFI()
ffi.cdef(declarations(root / "include" / "noether.h"))
ffi.cdef("static char *const NOE_VERSION;\n" + declarations(here / "private.h"))
ffi.cdef("""
extern "Python" int noe_py_observe(void *, const noe_integrator *);
extern "Python" void noe_py_load(double, double *, void *);
""")
ffi.set_source(
    "noether._noether",
    '#include "noether.h"\n#include "private.h"\n',
    sources=[os.path.relpath(here / "private.c")],
    include_dirs=[str(here), str(root / "include"), str(root / "src"), *(str(root / i) for i in includes)],
    extra_objects=[late, str(build / "libnoether.a")],
    depends=[str(build / "libnoether.a"), str(here / "private.h"), str(root / "include" / "noether.h")],
    extra_compile_args=["-std=gnu17", "-ffp-contract=off"],
    extra_link_args=["-Wl,--exclude-libs,ALL", "-Wl,--as-needed", *libraries],
)

"""Builds the extension; the version is that of include/noether.h.

SPDX-License-Identifier: BSD-3-Clause
"""
import os
import pathlib
import re
import sys

from setuptools import setup

here = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(here))

header = here.parent / "include" / "noether.h"
if not header.exists():
    raise SystemExit("noether: build the package inside the repository, beside include/ and src/: "
                     "pip install ./python")
version = re.search(r'^#define NOE_VERSION "(.*)"', header.read_text(), re.M).group(1)

setup(version=version, cffi_modules=["build_extension.py:ffi"],
      # beside the library that is inside, and always anew: setuptools does not see that words of the link have changed
      options={"build": {"build_base": str(pathlib.Path(os.environ.get("NOETHER_BUILD", here.parent / "build")) / "setuptools")},
               "build_ext": {"force": True},
               "egg_info": {"egg_base": str(here)}})

"""The type of what runs return; for type checkers alone, since numpy.typing takes long to import.

SPDX-License-Identifier: BSD-3-Clause
"""
import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Integers = NDArray[np.int64]

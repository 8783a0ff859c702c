# Plain comments of include/noether.h as those of Doxygen: sections, what stands before a declaration, what stands after it.
# SPDX-License-Identifier: BSD-3-Clause
1s|^/\* |/** @file\n * |
/SPDX-License-Identifier/d
s|^/\* ---- 1\. \(.*[^ -]\)  *--*  *\*/|/** @name \1\n * @{ */|
s|^/\* ---- [0-9]*\. \(.*[^ -]\)  *--*  *\*/|/** @} */\n/** @name \1\n * @{ */|
s|^/\* |/** |
s|^\( \{4,\}\)/\* |\1/** |
s|\([^ *].*\)/\* |\1/**< |
$s|$|\n/** @} */|

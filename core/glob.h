// SPDX-License-Identifier: MIT
/*
 * Patterns for names: * any text, ? any byte, [a-c] one of, [!a-c] none of,
 * \x the byte x itself; everything else stands for itself.
 */
#pragma once

#include "base/types.h"

/* Does a pattern have anything that does not stand for itself? */
bool glob_is_pattern(const char *pattern);

/**
 * glob_error() - what is wrong with a pattern
 * @pattern: the pattern
 *
 * Return: NULL when it is right, else a text that says what is not.
 */
const char *glob_error(const char *pattern);

/**
 * glob_match() - does a name match?
 * @pattern: one that glob_error() has nothing against
 * @name: the name
 *
 * Reads no byte behind either terminator. Time at most length times length,
 * without recursion or allocation. Any context.
 */
bool glob_match(const char *pattern, const char *name);

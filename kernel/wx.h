// SPDX-License-Identifier: MIT
/* Is every page of the image mapped as its contents ask for, and no other one writable and executable? */
#pragma once

#include "base/types.h"

/**
 * wx_check() - walk the live page tables
 *
 * Prints each page of the image that is writable and should not be, executable and
 * should not be, or not mapped; and, where there is execute-never, the first of all
 * mapped addresses that is both writable and executable. Return: how many there are.
 */
unsigned int wx_check(void);

// SPDX-License-Identifier: MIT
/* Is every page of the image mapped as its contents ask for, and nothing that runs writable at any address? */
#pragma once

#include "base/types.h"

/**
 * wx_check() - walk the live page tables
 *
 * Prints each page of the image that is writable and should not be, executable and
 * should not be, or not mapped; and the first of all mapped addresses at which text can
 * be written, or something that may be executed (where there is execute-never). An open
 * alias is such an address. Return: how many there are.
 */
unsigned int wx_check(void);

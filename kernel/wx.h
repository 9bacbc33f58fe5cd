// SPDX-License-Identifier: MIT
/* Is every page of the image mapped as its contents ask for? */
#pragma once

#include "base/types.h"

/**
 * wx_check() - walk the live page tables over the whole image
 *
 * Prints each page that is writable and should not be, executable and should
 * not be, or not mapped. Thread context. Return: how many such pages there are.
 */
unsigned int wx_check(void);

// SPDX-License-Identifier: MIT
/* The ATAG list by which ARM boot loaders describe the machine. */
#pragma once

#include "base/types.h"

/**
 * atags_parse() - enter memory and command line into `machine`
 * @list: the list, as boot code copied it; 0 or no list at all: nothing is entered
 * @room: bytes that may be read there
 *
 * Return: true when it was a list.
 */
bool atags_parse(unsigned long list, size_t room);

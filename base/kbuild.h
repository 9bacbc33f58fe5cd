// SPDX-License-Identifier: MIT
/* Constants from C for assembly: the Makefile turns these marks into #defines. */
#pragma once

#define DEFINE(name, value) \
	__asm__ volatile("\n.ascii \"->" #name " %c0\"" : : "i"((unsigned long)(value)))

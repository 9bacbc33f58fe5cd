// SPDX-License-Identifier: MIT
/* System registers by name. */
#pragma once

#include "base/types.h"

#define read_sysreg(name) ({ \
	u64 value_; \
	__asm__ volatile("mrs %0, " #name : "=r"(value_)); \
	value_; \
})

#define write_sysreg(name, value) \
	__asm__ volatile("msr " #name ", %x0" : : "rZ"((u64)(value)) : "memory")

#define isb()		__asm__ volatile("isb" : : : "memory")
#define dsb(domain)	__asm__ volatile("dsb " #domain : : : "memory")

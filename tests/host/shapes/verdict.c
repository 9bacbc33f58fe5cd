// SPDX-License-Identifier: MIT
/*
 * What a port says about call sites that a compiler made: reads lines
 * `function-address size record-address bytes-in-hex`, answers each with `site`,
 * `refused` (a shape that cannot be hooked) or `none`.
 */
#include "arch/arch.h"

#include <stdio.h>

#include "base/errno.h"
#include "base/host.h"

#define MOST_BYTES	8192

static u8 text[MOST_BYTES] __attribute__((aligned(64)));

/* ---- what the port's files are linked with ---- */

void arm_ftrace_stub(void);
void __gnu_mcount_nc(void);
void _mcount(void);

void arm_ftrace_stub(void)
{
}

void __gnu_mcount_nc(void)
{
}

void _mcount(void)
{
}

void arch_text_write(unsigned long addr, const u8 *bytes, unsigned int len)
{
}

unsigned long host_code_pool(size_t *size_bytes)
{
	*size_bytes = 0;
	return 0;
}

int main(void)
{
	unsigned long addr, size, ip;

	while (scanf("%lx %lx %lx ", &addr, &size, &ip) == 3) {
		struct kallsym sym = { .addr = (unsigned long)text + addr % 64, .size = size, .name = "f" };
		u8 *at = text + addr % 64;
		unsigned int byte;
		int error;

		while (at < text + MOST_BYTES && scanf("%2x", &byte) == 1) {
			*at++ = byte;
			if (at >= text + addr % 64 + size)
				break;
		}
		error = arch_site_check(sym.addr + (ip - addr), &sym);
		puts(!error ? "site" : error == -EOPNOTSUPP ? "refused" : "none");
	}
	return 0;
}

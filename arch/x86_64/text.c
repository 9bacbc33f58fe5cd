// SPDX-License-Identifier: MIT
/*
 * Stores to text on x86-64. The instruction caches snoop stores, at whatever
 * address they are made, so a store needs no upkeep; what a CPU has fetched
 * already is dropped when it executes a serialising instruction.
 */
#include "arch/text_step.h"

/* One store each for the sizes that methods rely on: a byte, a tail, a jump table's word. */
void arch_text_write(unsigned long addr, const u8 *bytes, unsigned int len)
{
	volatile u8 *alias = host_text_alias(addr);
	u32 tail;

	if (len == ARCH_INSN_BYTES) {
		*alias++ = *bytes++;
		len--;
	}
	if (len == sizeof(tail)) {
		__builtin_memcpy(&tail, bytes, sizeof(tail));
		*(volatile u32 *)alias = tail;
	} else {
		while (len--)
			*alias++ = *bytes++;
	}
	text_step(TEXT_STEP_WRITE, addr);
}

/* Stores are visible in order (TSO): only the compiler must keep it. */
void arch_text_flush(void)
{
	barrier();
}

void arch_text_sync(void)
{
	u32 eax = 0, ebx, ecx = 0, edx;

	/* cpuid serialises; it exists on every CPU. In: leaf. Clobbers all four. */
	__asm__ volatile("cpuid"
			 : "+a"(eax), "=b"(ebx), "+c"(ecx), "=d"(edx) : : "memory");
	text_step(TEXT_STEP_SYNC, 0);
}

void arch_text_touch(unsigned long addr)
{
	u8 *alias = host_text_alias(addr);

	/* The value stays; locked, so that a store of another CPU is not undone. */
	__asm__ volatile("lock orb $0, %0" : "+m"(*alias) : : "memory", "cc");
	text_step(TEXT_STEP_TOUCH, addr);
}

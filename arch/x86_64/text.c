// SPDX-License-Identifier: MIT
/*
 * Stores to text on x86-64. The instruction caches snoop stores, at whatever
 * address they are made, so a store needs no upkeep; what a CPU has fetched
 * already is dropped when it executes a serialising instruction.
 */
#include "arch/text_step.h"

static always_inline void write_byte(unsigned long addr, u8 byte)
{
	*(volatile u8 *)host_text_alias(addr) = byte;
	text_step(TEXT_STEP_WRITE, addr);
}

/* Four bytes are one store. */
static always_inline void write_tail(unsigned long addr, const u8 *bytes)
{
	u32 tail;

	__builtin_memcpy(&tail, bytes, sizeof(tail));
	*(volatile u32 *)host_text_alias(addr) = tail;
	text_step(TEXT_STEP_WRITE, addr);
}

void arch_text_write(unsigned long addr, const u8 *bytes, unsigned int len)
{
	for (; len % sizeof(u32); len--)
		write_byte(addr++, *bytes++);
	if (len)
		write_tail(addr, bytes);
}

static always_inline bool is_long(const struct text_poke *poke)
{
	return likely(poke->len == ARCH_INSN_BYTES);
}

static void write_whole(const struct text_poke *poke, const struct text_poke *end)
{
	for (; poke < end; poke++) {
		if (is_long(poke)) {
			write_byte(poke->addr, poke->new[0]);
			write_tail(poke->addr + 1, poke->new + 1);
		} else {
			arch_text_write(poke->addr, poke->new, poke->len);
		}
	}
}

static void write_tails(const struct text_poke *poke, const struct text_poke *end)
{
	for (; poke < end; poke++) {
		if (is_long(poke))
			write_tail(poke->addr + 1, poke->new + 1);
		else
			arch_text_write(poke->addr + 1, poke->new + 1, poke->len - 1);
	}
}

void arch_text_write_part(const struct text_poke *poke, const struct text_poke *end,
			  enum text_part part)
{
	switch (part) {
	case TEXT_PART_WHOLE:
		write_whole(poke, end);
		break;
	case TEXT_PART_BREAKPOINT:
		for (; poke < end; poke++)
			if (poke->len > ARCH_BREAKPOINT_BYTES)
				write_byte(poke->addr, X86_INT3);
		break;
	case TEXT_PART_TAIL:
		write_tails(poke, end);
		break;
	case TEXT_PART_HEAD:
		for (; poke < end; poke++)
			write_byte(poke->addr, poke->new[0]);
		break;
	}
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

static always_inline void touch(unsigned long addr)
{
	u8 *alias = host_text_alias(addr);

	/* The value stays; locked, so that a store of another CPU is not undone. */
	__asm__ volatile("lock orb $0, %0" : "+m"(*alias) : : "memory", "cc");
	text_step(TEXT_STEP_TOUCH, addr);
}

void arch_text_touch(unsigned long addr)
{
	touch(addr);
}

void arch_text_touch_all(const struct text_poke *poke, const struct text_poke *end)
{
	for (; poke < end; poke++)
		touch(poke->addr);
}

// SPDX-License-Identifier: MIT
/*
 * Stores to text on x86-64. The instruction caches snoop stores, at whatever
 * address they are made, so a store needs no upkeep; what a CPU has fetched
 * already is dropped when it executes a serialising instruction.
 */
#include "text.h"

#include "base/string.h"

static always_inline u32 word_at(const u8 *bytes)
{
	u32 word;

	__builtin_memcpy(&word, bytes, sizeof(word));
	return word;
}

void arch_text_write(unsigned long addr, const u8 *bytes, unsigned int len)
{
	for (; len % sizeof(u32); len--)
		write_byte(addr++, *bytes++, text_step_log);
	if (len)
		write_tail(addr, word_at(bytes), text_step_log);
}

/* The aligned eight bytes that hold the instruction, by one store. */
void arch_text_write_atomic(unsigned long addr, const u8 *bytes, unsigned int len)
{
	u8 *alias = host_text_alias(addr);
	unsigned long offset = (unsigned long)alias & 7;
	volatile u64 *word = (volatile u64 *)(void *)(alias - offset);
	u64 value = *word;

	memcpy((u8 *)&value + offset, bytes, len);
	*word = value;
	text_step(TEXT_STEP_WRITE, addr);
}

static always_inline void write_part(const struct text_poke *poke, enum text_part part, bool log)
{
	unsigned long addr = poke->addr;

	if (part == TEXT_PART_TOUCH) {
		touch(addr, log);
	} else if (part == TEXT_PART_HEAD) {
		write_byte(addr, poke->new[0], log);
	} else if (unlikely(poke->len != ARCH_INSN_BYTES)) {
		if (part == TEXT_PART_WHOLE)
			arch_text_write(addr, poke->new, poke->len);
		else if (part == TEXT_PART_TAIL)
			arch_text_write(addr + 1, poke->new + 1, poke->len - 1);
		else if (poke->len > ARCH_BREAKPOINT_BYTES)
			write_byte(addr, X86_INT3, log);
	} else if (part == TEXT_PART_BREAKPOINT) {
		write_byte(addr, X86_INT3, log);
	} else {
		if (part == TEXT_PART_WHOLE)
			write_byte(addr, poke->new[0], log);
		write_tail(addr + 1, word_at(poke->new + 1), log);
	}
}

static always_inline void write_all(const struct text_poke *poke, const struct text_poke *end,
				    enum text_part part)
{
	if (unlikely(text_step_log)) {
		for (; poke < end; poke++)
			write_part(poke, part, true);
	} else {
		for (; poke < end; poke++)
			write_part(poke, part, false);
	}
}

/* One loop for each part. */
void arch_text_write_part(const struct text_poke *poke, const struct text_poke *end,
			  enum text_part part)
{
	switch (part) {
	case TEXT_PART_WHOLE:
		write_all(poke, end, TEXT_PART_WHOLE);
		break;
	case TEXT_PART_TOUCH:
		write_all(poke, end, TEXT_PART_TOUCH);
		break;
	case TEXT_PART_BREAKPOINT:
		write_all(poke, end, TEXT_PART_BREAKPOINT);
		break;
	case TEXT_PART_TAIL:
		write_all(poke, end, TEXT_PART_TAIL);
		break;
	case TEXT_PART_HEAD:
		write_all(poke, end, TEXT_PART_HEAD);
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

void arch_text_touch(unsigned long addr)
{
	touch(addr, text_step_log);
}

// SPDX-License-Identifier: MIT
/*
 * Stores to text on ARM926EJ-S. Its caches are virtual: the alias and the
 * execution address have lines of their own, and the instruction cache sees no
 * store (ARM926EJ-S TRM, DDI 0198, 2.3.9 and 9.4).
 *
 *	for each word	str				to the alias
 *			clean, invalidate D line	of the alias: the word is on its way to
 *							memory, nothing stale is left for the next use
 *			drain write buffer		it is there
 *			invalidate D line		of the execution address: later reads see it
 *			invalidate I line		likewise: later fetches
 *	once		drain write buffer
 *			branch				what the pipeline holds is dropped
 *
 * The upkeep of a line is complete when a writer returns, so that nothing has to be
 * remembered until the flush.
 */
#include "text.h"

#include "a32.h"
#include "base/bug.h"

#define SYNC(log)	STEP(log, TEXT_STEP_SYNC, 0, "b 1f\n1:" : : : "memory")

/* What is not one aligned word nobody executes while it is written. Return: lines it lies in. */
static always_inline unsigned int write_bytes(unsigned long addr, const u8 *bytes, unsigned int len, bool log)
{
	volatile u8 *alias = host_text_alias(addr);
	unsigned int i = 0;

	do
		alias[i] = bytes[i];
	while (++i < len);
	if (log)
		text_step_note(TEXT_STEP_WRITE, addr);
	upkeep(LINE(addr), log);
	if (LINE(addr) == LINE(addr + len - 1))
		return 1;
	upkeep(LINE(addr + len - 1), log);
	return 2;
}

static inline bool is_word(unsigned long addr, unsigned int len)
{
	return len == ARCH_INSN_BYTES && addr % ARCH_INSN_BYTES == 0;
}

static always_inline void write_any(unsigned long addr, const u8 *bytes, unsigned int len, bool log)
{
	if (is_word(addr, len))
		write_word(addr, a32_word(bytes), log);
	else
		write_bytes(addr, bytes, len, log);
}

void arch_text_write(unsigned long addr, const u8 *bytes, unsigned int len)
{
	if (unlikely(text_step_log))
		write_any(addr, bytes, len, true);
	else
		write_any(addr, bytes, len, false);
}

/* An aligned word is one store anyhow. */
void arch_text_write_atomic(unsigned long addr, const u8 *bytes, unsigned int len)
{
	arch_text_write(addr, bytes, len);
}

/* Return: cache operations. */
static always_inline unsigned int write_pokes(const struct text_poke *poke, const struct text_poke *end,
					      enum text_part part, bool log)
{
	unsigned int lines = 0;

	for (; poke < end; poke++) {
		if (part == TEXT_PART_TOUCH)
			touch(poke->addr, log);
		else if (likely(is_word(poke->addr, poke->len)))
			lines += write_word(poke->addr, *(const u32 *)poke->new, log);
		else
			lines += write_bytes(poke->addr, poke->new, poke->len, log);
	}
	return lines * LINE_OPS;
}

/* No method here writes less than a whole change. */
void arch_text_write_part(const struct text_poke *poke, const struct text_poke *end,
			  enum text_part part)
{
	BUG_ON(part > TEXT_PART_TOUCH);
	if (unlikely(text_step_log))
		text_cache_ops += write_pokes(poke, end, part, true);
	else
		text_cache_ops += write_pokes(poke, end, part, false);
}

static always_inline void flush(bool log)
{
	DRAIN(log);
	SYNC(log);
}

void arch_text_flush(void)
{
	if (unlikely(text_step_log))
		flush(true);
	else
		flush(false);
}

void arch_text_sync(void)
{
	if (unlikely(text_step_log))
		SYNC(true);
	else
		SYNC(false);
}

void arch_text_touch(unsigned long addr)
{
	touch(addr, text_step_log);
}

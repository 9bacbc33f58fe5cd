// SPDX-License-Identifier: MIT
/*
 * Interpreter of .ARM.exidx and .ARM.extab (IHI 0038, sections 6 and 10.3).
 *
 *	.ARM.exidx, sorted	{ offset to the function, what }
 *	what == 1		no way up
 *	bit 31 set		the operations themselves: 0x80, three bytes
 *	else			offset to words in .ARM.extab
 *	.ARM.extab		0x80 three bytes | 0x81 n, two bytes, n words | 0x82 likewise |
 *				offset to another routine; n, three bytes, n words
 *
 * Bytes are read from the top of a word down. The personality routines exist for
 * C++ only: their names must resolve, nobody calls them.
 */
#include "exidx.h"

#include "a32.h"
#include "linker/sections.h"

struct exidx_entry {
	u32 function;
	u32 what;
};

extern const struct exidx_entry __exidx_start[], __exidx_end[];

#define CANNOT_UNWIND	1
#define INLINE_TABLE	(1u << 31)
#define CALLEE_SAVED	4	/* the lists of operations begin with r4 */
#define OP_FINISH	0xb0

/* A self-relative offset of 31 bits. */
static unsigned long prel31(const u32 *word)
{
	return (unsigned long)word + (unsigned long)((s32)(*word << 1) >> 1);
}

static const struct exidx_entry *find_entry(unsigned long at)
{
	const struct exidx_entry *low = __exidx_start, *high = __exidx_end;

	while (high - low > 1) {
		const struct exidx_entry *middle = low + (high - low) / 2;

		if (prel31(&middle->function) <= at)
			low = middle;
		else
			high = middle;
	}
	return low < high && prel31(&low->function) <= at ? low : NULL;
}

/* The bytes of a function's operations. */
struct operations {
	const u32 *word;
	unsigned int bytes_left;	/* in all */
	unsigned int shift;		/* of the next one in its word */
};

static u8 next_byte(struct operations *ops)
{
	u8 byte;

	if (!ops->bytes_left)
		return OP_FINISH;
	ops->bytes_left--;
	byte = *ops->word >> ops->shift;
	if (ops->shift) {
		ops->shift -= 8;
	} else {
		ops->shift = 24;
		ops->word++;
	}
	return byte;
}

static bool find_operations(const struct exidx_entry *entry, struct operations *ops)
{
	const u32 *word = &entry->what;
	unsigned int more = 0;

	if (*word == CANNOT_UNWIND)
		return false;
	if (!(*word & INLINE_TABLE))
		word = (const u32 *)prel31(word);
	if (!(*word & INLINE_TABLE)) {		/* behind the address of a routine */
		word++;
		more = *word >> 24;
		*ops = (struct operations){ word, 3 + 4 * more, 16 };
		return true;
	}
	switch (*word >> 24) {
	case 0x80:
		*ops = (struct operations){ word, 3, 16 };
		return true;
	case 0x81:
	case 0x82:
		more = *word >> 16 & 0xff;
		*ops = (struct operations){ word, 2 + 4 * more, 8 };
		return true;
	}
	return false;
}

bool exidx_pop(struct unwind_frame *frame, u32 list)
{
	unsigned long sp = frame->sp;

	for (unsigned int r = 0; r <= A32_PC; r++) {
		unsigned long value;

		if (!(list & A32_BIT(r)))
			continue;
		if (!exidx_on_stack(frame, sp))
			return false;
		value = exidx_word(sp);
		sp += sizeof(value);
		if (r < ARRAY_SIZE(frame->r))
			frame->r[r] = value;
		else if (r == A32_LR)
			frame->lr = value;
		else if (r == A32_PC)
			frame->pc = value;
	}
	frame->sp = sp;
	return true;
}

static unsigned long uleb128(struct operations *ops)
{
	unsigned long value = 0;
	unsigned int shift = 0;
	u8 byte;

	do {
		byte = next_byte(ops);
		if (shift < 32)
			value |= (unsigned long)(byte & 0x7f) << shift;
		shift += 7;
	} while (byte & 0x80 && ops->bytes_left);
	return value;
}

/* What soft-float C code can have; coprocessor registers are refused. */
static bool do_operation(struct unwind_frame *frame, u8 op, struct operations *ops, bool *by_register)
{
	u32 list;

	if ((op & 0xc0) == 0x00) {		/* sp += */
		frame->sp += ((op & 0x3fu) << 2) + 4;
	} else if ((op & 0xc0) == 0x40) {	/* sp -= */
		frame->sp -= ((op & 0x3fu) << 2) + 4;
	} else if ((op & 0xf0) == 0x80) {	/* pop any of r4 to r15 */
		list = (u32)((op & 0x0f) << 8 | next_byte(ops)) << CALLEE_SAVED;
		return list && exidx_pop(frame, list);
	} else if ((op & 0xf0) == 0x90) {	/* sp = register */
		if ((op & 0x0f) >= ARRAY_SIZE(frame->r))
			return false;
		frame->sp = frame->r[op & 0x0f];
		*by_register = true;
	} else if ((op & 0xf0) == 0xa0) {	/* pop r4 to r4+n, and lr */
		list = ((2u << (op & 7)) - 1) << CALLEE_SAVED;
		return exidx_pop(frame, list | (op & 8 ? A32_BIT(A32_LR) : 0));
	} else if (op == 0xb1) {		/* pop any of r0 to r3 */
		list = next_byte(ops);
		return list && list < 16 && exidx_pop(frame, list);
	} else if (op == 0xb2) {		/* sp +=, large */
		frame->sp += 0x204 + (uleb128(ops) << 2);
	} else {
		return false;
	}
	return true;
}

static bool run(struct unwind_frame *frame, struct operations *ops, bool *by_register)
{
	frame->pc = 0;
	for (;;) {
		u8 op = next_byte(ops);

		if (op == OP_FINISH)
			break;
		if (!do_operation(frame, op, ops, by_register))
			return false;
	}
	if (!frame->pc)
		frame->pc = frame->lr;
	return true;
}

bool exidx_step(struct unwind_frame *frame, unsigned long at, bool *by_register)
{
	const struct exidx_entry *entry = find_entry(at);
	struct unwind_frame caller = *frame;
	struct operations ops;
	struct kallsym sym;

	*by_register = false;
	/* Assembly has no entry: the one in front of it is another function's. */
	if (!entry || !kallsyms_lookup(at, &sym) || prel31(&entry->function) < sym.addr)
		return false;
	if (!find_operations(entry, &ops) || !run(&caller, &ops, by_register))
		return false;
	/* Up the stack, or a leaf to its caller: a loop cannot be. */
	if (caller.sp < frame->sp || (caller.sp == frame->sp && caller.pc == frame->pc))
		return false;
	*frame = caller;
	return true;
}

void __aeabi_unwind_cpp_pr0(void);
void __aeabi_unwind_cpp_pr1(void);
void __aeabi_unwind_cpp_pr2(void);

void __aeabi_unwind_cpp_pr0(void)
{
}

void __aeabi_unwind_cpp_pr1(void)
{
}

void __aeabi_unwind_cpp_pr2(void)
{
}

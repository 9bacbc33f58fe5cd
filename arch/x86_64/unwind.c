// SPDX-License-Identifier: MIT
/*
 * Up the stack on x86-64, by frame pointers:
 *
 *	rbp + 8   return address
 *	rbp       caller's rbp
 *
 * An interrupt can land where a function has no frame yet or none any more, and
 * anywhere in a trampoline: both are read from the code itself. Every address
 * read on the stack is checked against the frame's bounds first.
 */
#include "arch/arch.h"

#include "base/host.h"
#include "base/string.h"

#define WORD	sizeof(unsigned long)

/* push %rbp; mov %rsp, %rbp: in a row, since the compiler may not schedule (arch.mk). */
static const u8 set_up_frame[] = { 0x55, 0x48, 0x89, 0xe5 };
#define PUSH_BYTES	1

#define OPCODE_RET	0xc3
#define OPCODE_JMP	0xe9	/* rel32 */
#define JMP_BYTES	5
#define PROLOGUE_BYTES	48	/* how far ahead of the pc its frame may be set up */

void arch_unwind_regs(struct unwind_frame *frame, const struct pt_regs *regs)
{
	frame->pc = regs->ip;
	frame->sp = regs->sp;
	frame->fp = regs->bp;
	frame->interrupted = true;
	host_stack_bounds(&frame->stack_low, &frame->stack_high);
}

/* Calls push them, and every hook leaves them there. */
unsigned int arch_return_registers(const struct pt_regs *regs, unsigned long *addr)
{
	return 0;
}

/* Not inlined: it names its caller by its own frame. */
noinline void arch_unwind_here(struct unwind_frame *frame)
{
	const unsigned long *fp = __builtin_frame_address(0);

	frame->pc = fp[1];
	frame->sp = (unsigned long)(fp + 2);
	frame->fp = fp[0];
	frame->interrupted = false;
	host_stack_bounds(&frame->stack_low, &frame->stack_high);
}

/* Are @words words at @addr readable stack? */
static bool on_stack(const struct unwind_frame *frame, unsigned long addr, unsigned int words)
{
	return addr % WORD == 0 && addr >= frame->stack_low && addr <= frame->stack_high &&
	       frame->stack_high - addr >= words * WORD;
}

static unsigned long word_at(unsigned long addr)
{
	return *(const unsigned long *)addr;
}

static bool finds(const u8 *bytes, size_t n, unsigned long from, unsigned long end)
{
	for (; from + n <= end; from++)
		if (memcmp((const void *)from, bytes, n) == 0)
			return true;
	return false;
}

/* A jump to where another function begins: this one has taken its frame down. */
static bool is_tail_call(unsigned long pc, const struct kallsym *sym)
{
	struct kallsym to;
	s32 distance;

	if (*(const u8 *)pc != OPCODE_JMP || pc + JMP_BYTES > sym->addr + sym->size)
		return false;
	memcpy(&distance, (const void *)(pc + 1), sizeof(distance));
	return kallsyms_lookup(pc + JMP_BYTES + distance, &to) && to.addr == pc + JMP_BYTES + distance;
}

/* A return address leads behind a call, which may be a function's last instruction. */
static bool is_code(unsigned long addr)
{
	struct kallsym sym;
	size_t pool_bytes;
	unsigned long pool = host_code_pool(&pool_bytes);

	return addr - pool < pool_bytes || kallsyms_lookup(addr - 1, &sym);
}

/* pop or popf: what a function without a frame does to nothing but flags that it has just pushed. */
static bool is_pop(unsigned long pc)
{
	u8 opcode = *(const u8 *)pc;

	return (opcode & 0xf8) == 0x58 || opcode == 0x9d;
}

/*
 * A function that makes no frame anywhere: a leaf without stack. Assembly may be one
 * with a stack, so the word has to be the address of code.
 */
static int words_of_leaf(const struct unwind_frame *frame)
{
	int words = is_pop(frame->pc);
	unsigned long ret = frame->sp + words * WORD;

	return on_stack(frame, ret, 1) && is_code(word_at(ret)) ? words : -1;
}

/*
 * Words between sp and the return address while rbp is still the caller's, or
 * -1 when the function's frame stands. The pattern occurs nowhere but in
 * prologues, so finding it ahead means that the frame is not there yet. (An early
 * exit that the compiler has put behind the prologue is taken for a part with frame.)
 */
static int words_without_frame(const struct unwind_frame *frame)
{
	unsigned long pc = frame->pc, end;
	struct kallsym sym;

	if (!kallsyms_lookup(pc, &sym))
		return -1;
	end = sym.addr + sym.size;
	if (*(const u8 *)pc == OPCODE_RET || pc == sym.addr || is_tail_call(pc, &sym))
		return 0;
	if (pc + sizeof(set_up_frame) - PUSH_BYTES <= end &&
	    memcmp((const void *)(pc - PUSH_BYTES), set_up_frame, sizeof(set_up_frame)) == 0)
		return 1;
	if (finds(set_up_frame, sizeof(set_up_frame), pc, min(end, pc + PROLOGUE_BYTES)))
		return 0;
	if (!finds(set_up_frame + PUSH_BYTES, sizeof(set_up_frame) - PUSH_BYTES, sym.addr, end))
		return words_of_leaf(frame);
	return -1;
}

static bool step_without_frame(struct unwind_frame *frame, unsigned int words)
{
	unsigned long ret = frame->sp + words * WORD;

	if (!on_stack(frame, ret, 1))
		return false;
	frame->pc = word_at(ret);
	frame->sp = ret + WORD;
	return frame->pc != 0;
}

bool arch_unwind_step(struct unwind_frame *frame)
{
	unsigned long fp = frame->fp;
	int words = frame->interrupted ? words_without_frame(frame) : -1;

	frame->interrupted = false;
	if (words >= 0)
		return step_without_frame(frame, words);
	/* Frames lie one above the other: a loop cannot be. */
	if (fp < frame->sp || !on_stack(frame, fp, 2))
		return false;
	frame->pc = word_at(fp + WORD);
	frame->fp = word_at(fp);
	frame->sp = fp + 2 * WORD;
	return frame->pc != 0;
}

/*
 * One instruction of a trampoline's prologue or epilogue.
 * @pushed: bytes it puts on the stack, negative when it takes them off
 * Return: its length, 0 when it is none of those that trampoline.c emits.
 */
static unsigned int trampoline_insn(const u8 *insn, int *pushed)
{
	unsigned int rex_b = insn[0] == 0x41;
	u8 opcode = insn[rex_b];

	*pushed = 0;
	if (opcode == 0xff) {					/* push n(%rsp) */
		*pushed = WORD;
		return insn[1] == 0x74 ? 4 : 7;
	}
	if ((opcode & 0xf8) == 0x50 || opcode == 0x9c) {	/* push, pushfq */
		*pushed = WORD;
		return 1 + rex_b;
	}
	if ((opcode & 0xf8) == 0x58 || opcode == 0x9d) {	/* pop, popfq */
		*pushed = -(int)WORD;
		return 1 + rex_b;
	}
	if (opcode != 0x48)
		return 0;
	if (insn[1] == 0x8d && insn[2] == 0x64) {		/* lea n(%rsp), %rsp */
		*pushed = -(signed char)insn[4];
		return 5;
	}
	if (insn[1] == 0x8b)					/* mov n(%rsp), %rdi */
		return insn[2] == 0x7c ? 5 : 8;
	return insn[1] == 0x83 ? 4 : 0;				/* sub $5, %rdi */
}

/* Bytes between sp and the return address behind the site; -1 when unknown. */
static int bytes_to_return(const u8 *code, const struct trampoline_frame *desc, unsigned int offset)
{
	unsigned int at = offset < desc->body_start ? 0 : desc->body_end;
	int depth = at ? desc->ret_offset : 0;
	int pushed;

	if ((offset >= desc->body_start && offset <= desc->body_end) ||
	    (desc->tail_start && offset >= desc->tail_start))
		return desc->ret_offset;
	while (at < offset) {
		unsigned int length = trampoline_insn(code + at, &pushed);

		if (!length)
			return -1;
		at += length;
		depth += pushed;
	}
	return at == offset ? depth : -1;
}

bool arch_unwind_trampoline(struct unwind_frame *frame, const struct trampoline_frame *desc,
			    unsigned int offset, unsigned long *parent)
{
	int depth = bytes_to_return((const u8 *)(frame->pc - offset), desc, offset);
	unsigned long ret = frame->sp + depth;

	if (depth < 0 || !on_stack(frame, ret, 2))
		return false;
	frame->pc = word_at(ret);
	*parent = word_at(ret + WORD);
	/* The step after goes to the parent: its sp is behind both return addresses. */
	frame->sp = ret + 2 * WORD;
	frame->interrupted = false;
	return true;
}

const struct pt_regs *arch_unwind_entry_regs(const struct unwind_frame *frame)
{
	return (const struct pt_regs *)frame->fp;
}

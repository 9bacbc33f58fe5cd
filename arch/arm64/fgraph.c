// SPDX-License-Identifier: MIT
/*
 * The function graph's generated code on arm64: the templates of
 * return_to_handler.S with their holes filled in.
 */
#include "arch/fgraph.h"

#include "a64.h"
#include "base/errno.h"
#include "base/string.h"

extern const u8 fgraph_entry_template[], fgraph_entry_body[], fgraph_entry_write[],
	fgraph_entry_commit[], fgraph_entry_call[], fgraph_entry_wanted[], fgraph_entry_leave[],
	fgraph_entry_tail[], fgraph_entry_tail_leave[], fgraph_entry_slow[], fgraph_entry_gops[],
	fgraph_entry_plant[], fgraph_entry_op[], fgraph_entry_template_end[];
extern const u8 fgraph_return_template[], fgraph_return_gops[], fgraph_return_call[],
	fgraph_return_template_end[];

#define ENTRY(label)	((unsigned int)(label - fgraph_entry_template))
#define RETURN(label)	((unsigned int)(label - fgraph_return_template))

/* `pg`: the arguments have moved, and the return address is stored, before the site is reached. */
bool arch_fgraph_supported(void)
{
#ifdef FLAVOUR_pg
	return false;
#else
	return true;
#endif
}

/* Literals are named by the address behind them. */
static void fill_u64(u8 *code, unsigned int end, unsigned long value)
{
	memcpy(code + end - sizeof(value), &value, sizeof(value));
}

static int fill_call(u8 *code, unsigned int start, unsigned long at, unsigned long to)
{
	return arch_insn_call(code + start, at + start, to);
}

/* cbz w0, target -> b target */
static void make_unconditional(u8 *code, unsigned int start)
{
	u32 cbz = a64_word(code + start);
	s32 words = (s32)(cbz << 8) >> 13;
	u32 b = A64_B | ((u32)words & 0x3ffffff);

	memcpy(code + start, &b, sizeof(b));
}

static void describe(struct trampoline_frame *frame)
{
	*frame = (struct trampoline_frame){
		.ret_offset = offsetof(struct arm64_partial_regs, site_end),
		.parent_offset = offsetof(struct arm64_partial_regs, parent),
		.frame_bytes = sizeof(struct arm64_partial_regs),
		.body_start = ENTRY(fgraph_entry_body),
		.body_end = ENTRY(fgraph_entry_leave),
		.tail_start = ENTRY(fgraph_entry_tail),
		.tail_end = ENTRY(fgraph_entry_tail_leave),
		.graph_write = ENTRY(fgraph_entry_write),
		.graph_commit = ENTRY(fgraph_entry_commit),
	};
}

int arch_fgraph_generate_entry(const struct fgraph_spec *spec, unsigned long at,
			       u8 *code, size_t room, struct trampoline_frame *frame)
{
	size_t size = ENTRY(fgraph_entry_template_end);
	unsigned long entry = spec->entryfunc ? spec->entryfunc : (unsigned long)fgraph_entry_default;

	if (size > room)
		return -ENOSPC;
	memcpy(code, fgraph_entry_template, size);
	fill_u64(code, ENTRY(fgraph_entry_gops), spec->gops);
	fill_u64(code, ENTRY(fgraph_entry_plant), spec->return_stub);
	fill_u64(code, ENTRY(fgraph_entry_op), spec->op);
	if (!spec->retfunc)
		make_unconditional(code, ENTRY(fgraph_entry_wanted));
	if (fill_call(code, ENTRY(fgraph_entry_call), at, entry) ||
	    fill_call(code, ENTRY(fgraph_entry_slow), at, (unsigned long)fgraph_enter))
		return -ERANGE;
	describe(frame);
	return (int)size;
}

int arch_fgraph_generate_return(const struct fgraph_spec *spec, unsigned long at,
				u8 *code, size_t room, unsigned int *call)
{
	size_t size = RETURN(fgraph_return_template_end);

	if (size > room)
		return -ENOSPC;
	memcpy(code, fgraph_return_template, size);
	*call = RETURN(fgraph_return_call);
	fill_u64(code, RETURN(fgraph_return_gops), spec->gops);
	if (!spec->retfunc)
		arch_insn_nop(code + *call);
	else if (fill_call(code, *call, at, spec->retfunc))
		return -ERANGE;
	return (int)size;
}

int arch_fgraph_unwind(struct unwind_frame *frame, const struct fgraph_frame *newest)
{
	const struct pt_regs *regs = frame->regs;

	frame->regs = NULL;
	if (regs && *(const u32 *)frame->pc == A64_RET) {
		frame->pc = regs->x[30];
		return 0;
	}
	if (!newest)
		return -1;
	frame->pc = newest->ret;
	frame->sp = fgraph_frame_sp(newest);
	return 1;
}

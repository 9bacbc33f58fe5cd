// SPDX-License-Identifier: MIT
/*
 * The function graph's generated code on ARMv5: the templates of
 * return_to_handler.S with their holes filled in.
 */
#include "arch/fgraph.h"

#include "a32.h"
#include "base/errno.h"
#include "base/string.h"

extern const u8 fgraph_entry_template[], fgraph_entry_body[], fgraph_entry_write[],
	fgraph_entry_commit[], fgraph_entry_call[], fgraph_entry_wanted[], fgraph_entry_leave[],
	fgraph_entry_slow[], fgraph_entry_gops[],
	fgraph_entry_plant[], fgraph_entry_op[], fgraph_entry_template_end[];
extern const u8 fgraph_return_template[], fgraph_return_gops[], fgraph_return_call[],
	fgraph_return_template_end[];

#define ENTRY(label)	((unsigned int)(label - fgraph_entry_template))
#define RETURN(label)	((unsigned int)(label - fgraph_return_template))

/* `pg`: the site lies behind the prologue, which has stored the return address. */
bool arch_fgraph_supported(void)
{
#ifdef FLAVOUR_pg
	return false;
#else
	return true;
#endif
}

/* Literals are named by the address behind them. */
static void fill_word(u8 *code, unsigned int end, unsigned long value)
{
	memcpy(code + end - sizeof(value), &value, sizeof(value));
}

static int fill_call(u8 *code, unsigned int start, unsigned long at, unsigned long to)
{
	return arch_insn_call(code + start, at + start, to);
}

/* beq target -> b target */
static void make_unconditional(u8 *code, unsigned int start)
{
	u32 b = (a32_word(code + start) & 0x0fffffff) | 0xe0000000;

	memcpy(code + start, &b, sizeof(b));
}

static_assert(sizeof(struct arm_partial_regs) == 8 * 4, "seven words of the entry template's push, one of the site's");

/* The graph's layout has the two addresses the other way round. */
static void describe(struct trampoline_frame *frame)
{
	*frame = (struct trampoline_frame){
		.ret_offset = offsetof(struct arm_partial_regs, parent),
		.parent_offset = offsetof(struct arm_partial_regs, site_end),
		.frame_bytes = sizeof(struct arm_partial_regs),
		.body_start = ENTRY(fgraph_entry_body),
		.body_end = ENTRY(fgraph_entry_leave) + ARCH_INSN_BYTES,
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
	fill_word(code, ENTRY(fgraph_entry_gops), spec->gops);
	fill_word(code, ENTRY(fgraph_entry_plant), spec->return_stub);
	fill_word(code, ENTRY(fgraph_entry_op), spec->op);
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
	fill_word(code, RETURN(fgraph_return_gops), spec->gops);
	if (!spec->retfunc)
		arch_insn_nop(code + *call);
	else if (fill_call(code, *call, at, spec->retfunc))
		return -ERANGE;
	return (int)size;
}

#define BX_LR	0xe12fff1eu

int arch_fgraph_unwind(struct unwind_frame *frame, const struct fgraph_frame *newest)
{
	bool down = frame->interrupted && *(const u32 *)frame->pc == BX_LR;

	if (!down && !newest)
		return -1;
	frame->interrupted = false;
	if (down) {
		frame->pc = frame->lr;
		return 0;
	}
	frame->pc = newest->ret;
	frame->sp = fgraph_frame_sp(newest);
	return 1;
}

// SPDX-License-Identifier: MIT
/* The function graph on arm64: the holes that only its entry template has, and the way up. */
#include "arch/fgraph.h"

#include "a64.h"
#include "base/string.h"

extern const u8 fgraph_entry_template[], fgraph_entry_body[], fgraph_entry_write[], fgraph_entry_commit[],
	fgraph_entry_wanted[], fgraph_entry_leave[], fgraph_entry_tail[], fgraph_entry_tail_leave[],
	fgraph_entry_plant[];

#define ENTRY(label) ((unsigned int)(label - fgraph_entry_template))

/* `pg`: the arguments have moved, and the return address is stored, before the site is reached. */
bool arch_fgraph_supported(void)
{
#ifdef FLAVOUR_pg
	return false;
#else
	return true;
#endif
}

/* cbz w0, target -> b target */
static void make_unconditional(u8 *branch)
{
	u32 cbz = a64_word(branch);
	s32 words = (s32)(cbz << 8) >> 13;
	u32 b = A64_B | ((u32)words & 0x3ffffff);

	memcpy(branch, &b, sizeof(b));
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

int arch_fgraph_fill_entry(const struct fgraph_spec *spec, u8 *code, struct trampoline_frame *frame)
{
	u8 *plant = code + ENTRY(fgraph_entry_plant) - sizeof(spec->return_stub);

	memcpy(plant, &spec->return_stub, sizeof(spec->return_stub));
	if (!spec->retfunc)
		make_unconditional(code + ENTRY(fgraph_entry_wanted));
	describe(frame);
	return 0;
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

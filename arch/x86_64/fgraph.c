// SPDX-License-Identifier: MIT
/* The function graph on x86-64: the holes that only its entry template has, and the way up. */
#include "arch/fgraph.h"

#include "base/bug.h"
#include "base/errno.h"
#include "base/string.h"

extern const u8 fgraph_entry_template[], fgraph_entry_body[], fgraph_entry_write[], fgraph_entry_user[],
	fgraph_entry_commit[], fgraph_entry_wanted[], fgraph_entry_plant[], fgraph_entry_restore[], fgraph_entry_tail[];

#define JZ_SHORT	0x74
#define JMP_SHORT	0xeb

#define ENTRY(label) ((unsigned int)(label - fgraph_entry_template))

bool arch_fgraph_supported(void)
{
	return true;
}

/* movq $imm32, mem extends the sign. */
static int fill_plant(u8 *end, unsigned long to)
{
	s32 value = (s32)to;

	if ((unsigned long)(long)value != to)
		return -ERANGE;
	memcpy(end - sizeof(value), &value, sizeof(value));
	return 0;
}

static_assert(offsetof(struct x86_partial_regs, site_end) == 8 * 8, "as the entry template pushes them");

static void describe(struct trampoline_frame *frame)
{
	*frame = (struct trampoline_frame){
		.ret_offset = offsetof(struct x86_partial_regs, site_end),
		.parent_offset = offsetof(struct x86_partial_regs, parent),
		.frame_bytes = sizeof(struct x86_partial_regs),
		.body_start = ENTRY(fgraph_entry_body),
		.body_end = ENTRY(fgraph_entry_restore),
		.tail_start = ENTRY(fgraph_entry_tail),
		.graph_write = ENTRY(fgraph_entry_write),
		.graph_commit = ENTRY(fgraph_entry_commit),
	};
}

int arch_fgraph_fill_entry(const struct fgraph_spec *spec, u8 *code, struct trampoline_frame *frame)
{
	u8 *wanted = code + ENTRY(fgraph_entry_wanted);

	BUG_ON(wanted[0] != JZ_SHORT);
	if (!spec->retfunc)
		wanted[0] = JMP_SHORT;
	code[ENTRY(fgraph_entry_user) - 1] = spec->index << 1;
	describe(frame);
	return fill_plant(code + ENTRY(fgraph_entry_plant), spec->return_stub);
}

/* The jump that follows a frame's end is never where an interrupt is seen: arch_fgraph_mend(). */
int arch_fgraph_unwind(struct unwind_frame *frame, const struct fgraph_frame *newest)
{
	if (!newest)
		return -1;
	frame->pc = newest->ret;
	frame->sp = fgraph_frame_sp(newest) + FGRAPH_RETURN_BYTES;
	frame->interrupted = false;
	return 1;
}

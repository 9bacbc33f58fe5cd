// SPDX-License-Identifier: MIT
/* The function graph on ARMv5: the holes that only its entry template has, and the way up. */
#include "arch/fgraph.h"

#include "a32.h"
#include "base/string.h"

extern const u8 fgraph_entry_template[], fgraph_entry_body[], fgraph_entry_write[], fgraph_entry_commit[],
	fgraph_entry_wanted[], fgraph_entry_leave[], fgraph_entry_plant[];

#define ENTRY(label) ((unsigned int)(label - fgraph_entry_template))

/* `pg`: the site lies behind the prologue, which has stored the return address. */
bool arch_fgraph_supported(void)
{
#ifdef FLAVOUR_pg
	return false;
#else
	return true;
#endif
}

/* beq target -> b target */
static void make_unconditional(u8 *branch)
{
	u32 b = (a32_word(branch) & 0x0fffffff) | 0xe0000000;

	memcpy(branch, &b, sizeof(b));
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

int arch_fgraph_fill_entry(const struct fgraph_spec *spec, u8 *code, struct trampoline_frame *frame)
{
	u8 *plant = code + ENTRY(fgraph_entry_plant) - sizeof(spec->return_stub);

	memcpy(plant, &spec->return_stub, sizeof(spec->return_stub));
	if (!spec->retfunc)
		make_unconditional(code + ENTRY(fgraph_entry_wanted));
	describe(frame);
	return 0;
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

// SPDX-License-Identifier: MIT
/*
 * The function graph's generated code on x86-64: the templates of
 * return_to_handler.S with their holes filled in.
 */
#include "arch/fgraph.h"

#include "base/errno.h"
#include "base/string.h"

extern const u8 fgraph_entry_template[], fgraph_entry_body[], fgraph_entry_write[],
	fgraph_entry_user[], fgraph_entry_commit[], fgraph_entry_gops[], fgraph_entry_call[],
	fgraph_entry_wanted[], fgraph_entry_plant[], fgraph_entry_restore[], fgraph_entry_tail[],
	fgraph_entry_op[], fgraph_entry_slow[], fgraph_entry_template_end[];
extern const u8 fgraph_return_template[], fgraph_return_gops[], fgraph_return_call[],
	fgraph_return_template_end[];

#define JZ_SHORT	0x74
#define JMP_SHORT	0xeb

#define ENTRY(label)	((unsigned int)(label - fgraph_entry_template))
#define RETURN(label)	((unsigned int)(label - fgraph_return_template))

bool arch_fgraph_supported(void)
{
	return true;
}

/* Holes are named by the address behind them. */
static void fill_u64(u8 *code, unsigned int end, unsigned long value)
{
	memcpy(code + end - sizeof(value), &value, sizeof(value));
}

static int fill_call(u8 *code, unsigned int end, unsigned long at, unsigned long to)
{
	unsigned int start = end - ARCH_INSN_BYTES;

	return arch_insn_call(code + start, at + start, to);
}

/* movq $imm32, mem extends the sign. */
static int fill_plant(u8 *code, unsigned int end, unsigned long to)
{
	s32 value = (s32)to;

	if ((unsigned long)(long)value != to)
		return -ERANGE;
	memcpy(code + end - sizeof(value), &value, sizeof(value));
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

int arch_fgraph_generate_entry(const struct fgraph_spec *spec, unsigned long at,
			       u8 *code, size_t room, struct trampoline_frame *frame)
{
	size_t size = ENTRY(fgraph_entry_template_end);
	unsigned long entry = spec->entryfunc ? spec->entryfunc : (unsigned long)fgraph_entry_default;
	u8 *wanted = code + ENTRY(fgraph_entry_wanted);

	if (size > room)
		return -ENOSPC;
	memcpy(code, fgraph_entry_template, size);
	code[ENTRY(fgraph_entry_user) - 1] = spec->index << 1;
	fill_u64(code, ENTRY(fgraph_entry_gops), spec->gops);
	fill_u64(code, ENTRY(fgraph_entry_op), spec->op);
	if (wanted[0] != JZ_SHORT)
		return -EINVAL;
	if (!spec->retfunc)
		wanted[0] = JMP_SHORT;
	if (fill_call(code, ENTRY(fgraph_entry_call), at, entry) ||
	    fill_call(code, ENTRY(fgraph_entry_slow), at, (unsigned long)fgraph_enter) ||
	    fill_plant(code, ENTRY(fgraph_entry_plant), spec->return_stub))
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
	*call = RETURN(fgraph_return_call) - ARCH_INSN_BYTES;
	fill_u64(code, RETURN(fgraph_return_gops), spec->gops);
	if (!spec->retfunc)
		arch_insn_nop(code + *call);
	else if (fill_call(code, RETURN(fgraph_return_call), at, spec->retfunc))
		return -ERANGE;
	return (int)size;
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

// SPDX-License-Identifier: MIT
/*
 * The function graph's generated code: the templates of a port's return_to_handler.S with
 * their holes filled in.
 *
 * A word is named by the label behind it, a call by the label in front of it.
 */
#include "arch/fgraph.h"

#include "base/errno.h"
#include "base/string.h"

extern const u8 fgraph_entry_template[], fgraph_entry_gops[], fgraph_entry_op[], fgraph_entry_call[],
	fgraph_entry_slow[], fgraph_entry_template_end[];
extern const u8 fgraph_return_template[], fgraph_return_gops[], fgraph_return_call[], fgraph_return_template_end[];

#define ENTRY(label) ((unsigned int)(label - fgraph_entry_template))
#define RETURN(label) ((unsigned int)(label - fgraph_return_template))

static void fill_word(u8 *code, unsigned int end, unsigned long value)
{
	memcpy(code + end - sizeof(value), &value, sizeof(value));
}

static int fill_call(u8 *code, unsigned int start, unsigned long at, unsigned long to)
{
	return arch_insn_call(code + start, at + start, to);
}

int arch_fgraph_generate_entry(const struct fgraph_spec *spec, unsigned long at, u8 *code, size_t room,
			       struct trampoline_frame *frame)
{
	size_t size = ENTRY(fgraph_entry_template_end);
	unsigned long entry = spec->entryfunc ? spec->entryfunc : (unsigned long)fgraph_entry_default;

	if (size > room)
		return -ENOSPC;
	memcpy(code, fgraph_entry_template, size);
	fill_word(code, ENTRY(fgraph_entry_gops), spec->gops);
	fill_word(code, ENTRY(fgraph_entry_op), spec->op);
	if (fill_call(code, ENTRY(fgraph_entry_call), at, entry) ||
	    fill_call(code, ENTRY(fgraph_entry_slow), at, (unsigned long)fgraph_enter) ||
	    arch_fgraph_fill_entry(spec, code, frame))
		return -ERANGE;
	return (int)size;
}

int arch_fgraph_generate_return(const struct fgraph_spec *spec, unsigned long at, u8 *code, size_t room,
				unsigned int *call)
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

// SPDX-License-Identifier: MIT
/* What the function graph stands on, pretended: return addresses are words of the test. */
#include "fake.h"

#include <string.h>

#include "arch/fgraph.h"
#include "base/errno.h"

__thread unsigned long fake_shadow;
void (*fake_interrupt)(void);
const char return_to_handler_end[1];

void return_to_handler(void)
{
}

bool arch_fgraph_supported(void)
{
	return true;
}

/* No entry code of its own kind: all goes by way of fgraph_enter(). */
int arch_fgraph_generate_entry(const struct fgraph_spec *spec, unsigned long at,
			       u8 *code, size_t room, struct trampoline_frame *frame)
{
	check(spec->return_stub);
	return -ERANGE;
}

int arch_fgraph_generate_return(const struct fgraph_spec *spec, unsigned long at,
				u8 *code, size_t room, unsigned int *call)
{
	memset(code, FAKE_CALL, 2 * ARCH_INSN_BYTES);
	*call = ARCH_INSN_BYTES;
	return 2 * ARCH_INSN_BYTES;
}

void arch_insn_nop(u8 *insn)
{
	memset(insn, FAKE_NOP, ARCH_INSN_BYTES);
}

int arch_fgraph_unwind(struct unwind_frame *frame, const struct fgraph_frame *newest)
{
	return -1;
}

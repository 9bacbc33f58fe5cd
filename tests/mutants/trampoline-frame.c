// SPDX-License-Identifier: MIT
/* Mutant: the description of a trampoline's frame has the return address in the wrong place. */
#include "arch/arch.h"

int __real_arch_trampoline_generate(const struct trampoline_spec *spec, unsigned long at, u8 *code,
				    size_t room, struct trampoline_frame *frame);

int arch_trampoline_generate(const struct trampoline_spec *spec, unsigned long at, u8 *code,
			     size_t room, struct trampoline_frame *frame)
{
	int size = __real_arch_trampoline_generate(spec, at, code, room, frame);

	frame->ret_offset -= sizeof(long);
	return size;
}

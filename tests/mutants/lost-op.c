// SPDX-License-Identifier: MIT
/* Mutant: a trampoline of several ops leaves out the last one. */
#include "arch/arch.h"

int __real_arch_trampoline_generate(const struct trampoline_spec *spec, unsigned long at, u8 *code,
				    size_t room, struct trampoline_frame *frame);

int arch_trampoline_generate(const struct trampoline_spec *spec, unsigned long at, u8 *code,
			     size_t room, struct trampoline_frame *frame)
{
	struct trampoline_spec fewer = *spec;

	if (fewer.nr_calls > 1)
		fewer.nr_calls--;
	return __real_arch_trampoline_generate(&fewer, at, code, room, frame);
}

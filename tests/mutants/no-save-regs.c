// SPDX-License-Identifier: MIT
/* Mutant: a trampoline saves what it must even where every register was asked for. */
#include "arch/arch.h"

int __real_arch_trampoline_generate(const struct trampoline_spec *spec, unsigned long at, u8 *code,
				    size_t room, struct trampoline_frame *frame);

int arch_trampoline_generate(const struct trampoline_spec *spec, unsigned long at, u8 *code,
			     size_t room, struct trampoline_frame *frame)
{
	struct trampoline_spec partial = *spec;

	partial.flags = 0;
	return __real_arch_trampoline_generate(&partial, at, code, room, frame);
}

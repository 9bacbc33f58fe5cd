// SPDX-License-Identifier: MIT
/*
 * The two instructions of a static branch, and their entry in the jump table.
 * Both return true when the jump is taken. @disabled_jumps goes to bit 0 of the
 * entry's key, see patch/static_key.h.
 */
#pragma once

#define ARCH_STATIC_BRANCH(insn, key, disabled_jumps) ({ \
	__label__ jumped, done; \
	bool taken_ = false; \
	__asm__ goto("1:	" insn "\n\t" \
		     ".pushsection jump_table, \"aw\"\n\t" \
		     ".balign 8\n\t" \
		     ".quad 1b, %l[jumped], %c0 + %c1\n\t" \
		     ".popsection" \
		     : : "i"(key), "i"(disabled_jumps) : : jumped); \
	goto done; \
jumped:	taken_ = true; \
done:	taken_; \
})

#define arch_static_branch_nop(key, disabled_jumps) \
	ARCH_STATIC_BRANCH("nop", key, disabled_jumps)
#define arch_static_branch_jump(key, disabled_jumps) \
	ARCH_STATIC_BRANCH("b %l[jumped]", key, disabled_jumps)

/* SPDX-License-Identifier: MIT */
/*
 * Where `pg` call sites go until they are initialised: nowhere.
 *
 * From: `bl _mcount` behind a prologue; x0 has the return address into the
 * parent, everything that a call may clobber is saved. Clobbers nothing.
 */
#include <asm/linkage.h>

	.text

SYM_FUNC_START(_mcount)
	ret
SYM_FUNC_END(_mcount)

	.section .note.GNU-stack, "", %progbits

// SPDX-License-Identifier: MIT
/*
 * A traced function in assembly: every register that lives across its site is
 * set before and looked at behind it. Used in the guest and on the host.
 */
#pragma once

/* Order of registers in probe_in and probe_out. */
enum probe_reg {
	PROBE_RDI, PROBE_RSI, PROBE_RDX, PROBE_RCX, PROBE_R8, PROBE_R9,
	PROBE_RAX, PROBE_R10, PROBE_R11,
	PROBE_RBX, PROBE_RBP, PROBE_R12, PROBE_R13, PROBE_R14, PROBE_R15,
	PROBE_FLAGS, PROBE_RSP,		/* rsp is only looked at */
	NR_PROBE_REGS
};

/* Set for the function's entry; what they were behind its site. */
extern unsigned long probe_in[NR_PROBE_REGS], probe_out[NR_PROBE_REGS];

/* What the site calls. */
extern unsigned long probe_target;

/* rax and rdx as the function returns them, and as its caller gets them. */
#define PROBE_RETURN_RAX	0x1234567855aa55aaUL
#define PROBE_RETURN_RDX	0x0fedcba9a55aa55aUL
extern unsigned long probe_returned[2];

/* rbx, rbp, r12 to r15 and rsp, as its caller gets them back. */
extern unsigned long probe_kept[7];

/* Call the function. */
void probe_call(void);

/* Addresses: of the function, right behind its site, right behind its call; of one that swaps rax and rdx. */
extern char probe_function[], probe_behind[], probe_parent[], probe_elsewhere[];

/* An op: notes its arguments and state, calls probe_op_c(), then spoils all it may. */
void probe_op(void);
extern unsigned long probe_op_sp, probe_op_flags;
void probe_op_c(unsigned long ip, unsigned long parent_ip, void *op, void *fregs);

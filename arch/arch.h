// SPDX-License-Identifier: MIT
/*
 * THE CONTRACT: what the runtime needs of an instruction set.
 *
 * Each port in arch/{arm,arm64,x86_64}/ has the same files:
 *
 *   insn.c        encoders: pure functions, compiled for the host's tests too
 *   site.c        what a call site looks like: compiled, off, on; site_words.h: its words
 *   text.c        stores to text and the cache and barrier steps that follow; text.h: one store
 *   sites.c       many sites at once
 *   trap.c        breakpoints: is it one, and what would the new instruction have done
 *   trampoline.c, leaf.S  generated code between site and ops: trampoline.h
 *   fgraph.c, return_to_handler.S  the same of the function graph: fgraph.h
 *   mcount.S      where the call of a site goes that nobody hooks, on ports where it has one
 *   unwind.c      one step up the stack
 *   asm-offsets.c what assembly knows of C's structures
 *   arch.mk       the compiler and its flags, for each flavour of call sites
 *   asm/ptrace.h  struct pt_regs, all registers of an interrupted context; regs_pc(),
 *                 regs_sp(), regs_set_pc()
 *   asm/ftrace.h  struct ftrace_regs, what a callback may ask for
 *   asm/insn.h    sizes and limits: ARCH_INSN_BYTES, ARCH_BREAKPOINT_BYTES, ARCH_SITE_BYTES,
 *                 ARCH_SITE_POKES, ARCH_BRANCH_REACH; ARCH_TEXT_METHODS: the patch methods
 *                 that work here, best first (&text_poke_nosync, &text_poke_stop)
 *   asm/unwind.h  struct unwind_frame: pc, sp, fp and what more the port needs
 *   asm/fgraph.h  struct fgraph_frame: see fgraph.h
 *   asm/linkage.h SYM_FUNC_START and its kin, for .S files
 *   asm/jump_label.h  the instructions of a static branch, for patch/static_key.h
 */
#pragma once

#include "base/types.h"
#include "base/kallsyms.h"
#include "arch/poke.h"
#include "arch/site.h"
#include "arch/trampoline.h"

#include <asm/insn.h>
#include <asm/ptrace.h>
#include <asm/ftrace.h>
#include <asm/unwind.h>

/* ---- insn.c ---------------------------------------------------------- */

/**
 * arch_insn_nop() / _breakpoint() / _call() / _jump() - encode one instruction
 * @insn: ARCH_INSN_BYTES bytes out; _breakpoint() fills ARCH_BREAKPOINT_BYTES
 * @from: address the instruction will have
 * @to: where it goes
 *
 * Pure; any context. Return: 0, or -ERANGE when @to is out of branch reach or
 * misaligned for the ISA; @insn is untouched then.
 */
void arch_insn_nop(u8 *insn);
void arch_insn_breakpoint(u8 *insn);
int __must_check arch_insn_call(u8 *insn, unsigned long from, unsigned long to);
int __must_check arch_insn_jump(u8 *insn, unsigned long from, unsigned long to);

/**
 * arch_insn_target() - where a call or jump goes
 * @insn: its ARCH_INSN_BYTES bytes
 * @from: its address
 *
 * Return: the target, 0 when @insn is neither.
 */
unsigned long arch_insn_target(const u8 *insn, unsigned long from);

/**
 * arch_insn_swappable() - may this instruction be replaced under running CPUs
 * by one store, with no stop and no breakpoint?
 * @insn: ARCH_INSN_BYTES bytes
 *
 * arm64: the set of the Arm ARM's "concurrent modification and execution of
 * instructions" (B, BL, BRK, HVC, ISB, NOP, SMC, SVC). Others: false.
 */
bool arch_insn_swappable(const u8 *insn);

/* ---- site.c ---------------------------------------------------------- */

/**
 * arch_site_check() - is this record a call site we may patch?
 * @ip: the record's address
 * @sym: the function symbol that covers @ip
 *
 * Checks place (at the entry or just behind a landing pad) and the bytes as
 * compiled. Reads text only. Return: 0; -EINVAL when place or bytes are not a
 * site; -EOPNOTSUPP for a shape that is a site but cannot be hooked safely.
 */
int __must_check arch_site_check(unsigned long ip, const struct kallsym *sym);

/**
 * arch_site_init() - bring a site from "compiled" to "off", by direct writes
 * @ip: a record that arch_site_check() accepted
 *
 * Once, at boot, between host_text_open() and host_text_close(), before any
 * other CPU, interrupt or thread. Return: number of bytes written, or -ERANGE
 * when the code pool is out of reach of @ip.
 */
int __must_check arch_site_init(unsigned long ip);

/**
 * arch_site_reaches() - can the site call this target?
 * @ip: the record's address
 * @target: trampoline; 0 = off, which is always possible
 *
 * The sites that reach a target lie in one interval of addresses.
 */
bool arch_site_reaches(unsigned long ip, unsigned long target);

/**
 * arch_site_pokes() - the changes that move one site from one target to another
 * @ip: the record's address
 * @old_target: trampoline the site calls now, 0 = off
 * @new_target: trampoline it shall call, 0 = off; in reach
 * @pokes: up to ARCH_SITE_POKES out, by address
 *
 * On an ISA with the method "nosync" they are swappable, see arch_insn_swappable().
 * Pure; any context. Return: number of pokes, >= 1.
 */
unsigned int arch_site_pokes(unsigned long ip, unsigned long old_target,
			     unsigned long new_target, struct text_poke *pokes);

/* Flavour of the call sites, for reports: "mfentry", "pfe", "pg", "none". */
extern const char arch_site_flavour[];

/* ---- text.c ---------------------------------------------------------- */

/* The part of a change that a method writes by itself. */
enum text_part {
	TEXT_PART_WHOLE,
	/*
	 * What is there already, once more, while nobody else writes text: for emulators
	 * that keep stale translations (docs/design.md, "touch and heal").
	 */
	TEXT_PART_TOUCH,
	/* Below: on ISAs with the method "breakpoint". A change no longer than a breakpoint has a head only. */
	TEXT_PART_BREAKPOINT,	/* a breakpoint instead of the first byte */
	TEXT_PART_TAIL,		/* all but the first byte */
	TEXT_PART_HEAD,		/* the first byte */
};

/**
 * arch_text_write() - store bytes to text through the alias
 * @addr: execution address
 * @bytes: what to write
 * @len: 1 .. ARCH_INSN_BYTES; an aligned word is one single store
 *
 * Inside host_text_open(). Does the per-address cache upkeep; it is complete
 * only after arch_text_flush().
 */
void arch_text_write(unsigned long addr, const u8 *bytes, unsigned int len);

/**
 * arch_text_write_atomic() - as arch_text_write(), by one single store
 * @addr: execution address
 * @bytes: what to write
 * @len: 1 .. ARCH_INSN_BYTES; nothing of it may cross (arch_text_crosses())
 */
void arch_text_write_atomic(unsigned long addr, const u8 *bytes, unsigned int len);

/**
 * arch_text_write_part() - as arch_text_write(), for many changes
 * @poke: first change
 * @end: one past the last
 * @part: which of their new bytes
 */
void arch_text_write_part(const struct text_poke *poke, const struct text_poke *end,
			  enum text_part part);

/*
 * Cache operations of arch_text_write_part() and arch_sites_write() since boot: lines cleaned
 * or invalidated. They add to it under text_mutex. arch/text_step.c has it.
 */
extern unsigned long text_cache_ops;

/**
 * arch_text_flush() - complete the upkeep of all writes since the last flush
 *
 * For all CPUs, by ARCH_FLUSH_CACHE_OPS (<asm/insn.h>) cache operations more. Inside
 * host_text_open(). What another CPU has fetched already stays with it until its
 * arch_text_sync().
 */
void arch_text_flush(void);

/**
 * arch_text_sync() - context synchronisation of the calling CPU
 *
 * What it executes from here on is fetched after the flushes that were complete before.
 * Any context.
 */
void arch_text_sync(void);

/**
 * arch_text_touch() - write a byte of text once more
 * @addr: its execution address
 *
 * Atomically: others may write. Inside host_text_open(); traps too.
 */
void arch_text_touch(unsigned long addr);

/*
 * Inline, in <asm/insn.h>:
 *
 *   bool arch_text_crosses(unsigned long addr, unsigned int len)
 *	do @len bytes at @addr cross what the ISA stores atomically (x86: 8 bytes)?
 *   bool arch_site_crosses(unsigned long ip)
 *	does any changing instruction of the site at @ip?
 *   void arch_relax(void)
 *	in a loop that waits for another CPU
 */

/* ---- sites.c: what a batch does thousands of times --------------------- */

/**
 * arch_sites_verify() - do sites hold the bytes of their targets?
 * @span: first span of sites; what they get does not matter here
 * @last: one past the last
 * @table: first record of all
 * @targets: what the site of each record of the table calls now
 *
 * Inside host_text_open(); reads through the alias: with virtual caches it is the
 * view that was written last. Return: the first site that does not, NULL when all do.
 */
const struct dyn_ftrace *arch_sites_verify(const struct site_span *span, const struct site_span *last,
					   const struct dyn_ftrace *table, const unsigned long *targets);

/**
 * arch_sites_write() - as arch_text_write_part(), for the sites of spans
 * @span: first span; its target is what its sites shall call, in reach
 * @last: one past the last
 * @part: which of the new bytes
 */
void arch_sites_write(const struct site_span *span, const struct site_span *last, enum text_part part);

/* ---- trap.c ---------------------------------------------------------- */

/**
 * arch_trap_address() - the address of the breakpoint that was hit
 * @regs: as the trap entry saved them (x86: ip is one past the int3)
 */
unsigned long arch_trap_address(const struct pt_regs *regs);

/**
 * arch_emulate() - do to @regs what an instruction would have done
 * @regs: context that hit a breakpoint at @addr; on x86 its stack has the gap
 *	  that a pushed return address needs
 * @addr: address of the instruction
 * @insn: nop, call or jump, ARCH_INSN_BYTES bytes
 *
 * Return: false when @insn is none of these.
 */
bool arch_emulate(struct pt_regs *regs, unsigned long addr, const u8 *insn);

/* ---- unwind.c -------------------------------------------------------- */

/**
 * arch_unwind_regs() / _here() - where a walk up the stack starts
 * @frame: out; pc is 0 where there is nothing to start from
 * @regs: an interrupted context on the running stack; _here(): the caller of this function
 *
 * Any context; the walk stays within host_stack_bounds().
 */
void arch_unwind_regs(struct unwind_frame *frame, const struct pt_regs *regs);
void arch_unwind_here(struct unwind_frame *frame);

#define ARCH_RETURN_REGISTERS	2u

/**
 * arch_return_registers() - return addresses that are in registers, not on the stack
 * @regs: an interrupted context
 * @addr: out: ARCH_RETURN_REGISTERS at most
 *
 * Of a function that has not saved its own, and of code between a site and its function; who
 * is in a leaf may have them elsewhere. Not those in which compiled code leaves whatever it
 * worked with: that stays for as long as a loop goes on without them. (A link register may
 * have been worked with, too, but the next call ends that.) Any context. Return: how many.
 */
unsigned int arch_return_registers(const struct pt_regs *regs, unsigned long *addr);

/**
 * arch_unwind_step() - from a function to its caller
 * @frame: in: a function's pc, sp and frame pointer; out: its caller's
 *
 * Stays within [frame->stack_low, frame->stack_high). Return: false at the end.
 */
bool arch_unwind_step(struct unwind_frame *frame);

/**
 * arch_unwind_trampoline() - from inside a trampoline to the traced function
 * @frame: pc lies in the trampoline; out: pc = behind the site, as if the
 *	   function had called the trampoline by itself
 * @desc: its frame
 * @offset: pc's offset in the code
 * @parent: out: return address into the parent, where the step after goes
 *
 * Right at every instruction of the trampoline. Return: false when it cannot.
 */
bool arch_unwind_trampoline(struct unwind_frame *frame, const struct trampoline_frame *desc,
			    unsigned int offset, unsigned long *parent);

/**
 * arch_unwind_entry_regs() - the pt_regs that entry code saved
 * @frame: pc lies in [__entry_text_start, __entry_text_end)
 *
 * Contract with the host's vectors: they call C with the frame pointer (x86,
 * arm64) or sp (ARM) equal to the address of the pt_regs they saved.
 */
const struct pt_regs *arch_unwind_entry_regs(const struct unwind_frame *frame);

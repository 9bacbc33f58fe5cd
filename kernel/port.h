// SPDX-License-Identifier: MIT
/*
 * What the kernel needs of an instruction set; each port in kernel/<isa>/ has
 * the same files: vectors.S, trap.c, mmu.c, switch.S, thread.c, cpu.c and
 * port/cpu.h (static inline), see below.
 *
 * <port/cpu.h> gives, all static inline:
 *   unsigned int cpu_id(void)
 *   struct cpu *this_cpu(void)              kernel/percpu.h; x86: GS base, arm64: TPIDR_EL1, arm: a global
 *   struct thread *current(void)            x86: %gs:, arm64: SP_EL0, arm: a global
 *   void set_this_cpu(struct cpu *), void set_current(struct thread *)
 *   unsigned long irq_save(void), void irq_restore(unsigned long), void irq_enable(void), void irq_disable(void)
 *   bool irqs_enabled(void)
 *   void cpu_relax(void)                    in spin loops (pause, yield)
 *   void cpu_idle(void)                     called with interrupts off: wait for one and return with
 *                                           interrupts on; no wake-up is lost (sti;hlt / wfi)
 *   void *text_alias(unsigned long addr)    where text is writable between mmu_text_open() and _close()
 *   u64 cycles_read(void)                   the finest counter: tsc, PMCCNTR or the board's; for benches
 *   u64 insns_read(void)                    instruction counter under icount (tsc, PMU event 8, board's
 *                                           24 MHz counter); INSNS_NUM / INSNS_DEN
 *                                           turn a difference of it into instructions (versatilepb: 1000 / 24)
 *   PORT_ISA, PORT_HAS_NX                   its name; whether pages can be made not executable
 */
#pragma once

#include "base/types.h"
#include "kernel/machine.h"

struct cpu;
struct thread;
struct pt_regs;

#include <port/cpu.h>

/* Vectors and per-CPU registers of the calling CPU, so that faults report. */
void port_init_cpu(struct cpu *cpu);

/*
 * Final page tables: text and code pool RX, rodata R, data RW NX, page 0
 * unmapped (where the machine allows), devices, all RAM RW NX; the alias.
 * Then switched on for the boot CPU. mmu_init_cpu() for each further CPU.
 */
void mmu_init(void);
void mmu_init_cpu(void);

/* Take a page out of the map (guard page under a stack); this CPU and all others see it by the next fault. */
void mmu_unmap_guard(unsigned long page);

/* The text alias, behind host_text_open(); see base/host.h. */
unsigned long mmu_text_open(void);
void mmu_text_close(unsigned long cookie);

/**
 * mmu_walk() - what the live page tables say about an address
 * @addr: virtual address
 * @w: may it be written here, now, on this CPU?
 * @x: may it be executed? (ARMv5: always true where mapped)
 *
 * Walks the tables the CPU uses (its CR3, TTBR). Return: false when not mapped.
 */
bool mmu_walk(unsigned long addr, bool *w, bool *x);

/* The next address that has an entry of its own in those tables, or could have; 0 behind the last. */
unsigned long mmu_next(unsigned long addr);

/* Where a mapped address leads. */
unsigned long mmu_physical(unsigned long addr);

/* One printed line on how W^X is enforced here, for the boot report. */
const char *mmu_describe(void);

/* First entry of a thread: make switch_to(thread) run thread_start() on its stack. */
void port_thread_init(struct thread *t);

/*
 * Save callee-saved registers, FP state and sp of @prev, load those of @next.
 * Interrupts off; returns on @next's stack. (switch.S)
 */
void switch_to(struct thread *prev, struct thread *next);

/* What switch_to() saved: registers lie on the stack from sp up; pc is where it resumes. */
unsigned long port_thread_pc(const struct thread *t);
unsigned long port_thread_sp(const struct thread *t);

/* Print all registers of a frame with their names. */
void port_show_regs(const struct pt_regs *regs);

/*
 * Make a software interrupt on this CPU whose handler calls fn(arg) as an
 * interrupt would (through baretrace_irq_enter()); for tests. Any context.
 */
void port_soft_irq(void (*fn)(void *arg), void *arg);

/* The port's vectors call these (interrupts off): */
void kernel_fault(struct pt_regs *regs, const char *what, unsigned long fault_addr) __attribute__((noreturn));
/*
 * A fault that a test expects: when fixup is armed for this CPU (kernel/fault.h), the
 * port's fault path calls kernel_fault_expected(), which moves regs' pc and returns true.
 */
bool kernel_fault_expected(struct pt_regs *regs, unsigned long fault_addr);

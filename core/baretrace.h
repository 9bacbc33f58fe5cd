// SPDX-License-Identifier: MIT
/*
 * The public face of the runtime: what a host calls, and where its traps go.
 */
#pragma once

#include "base/types.h"
#include "base/host.h"
#include "core/ftrace.h"

/**
 * baretrace_init() - bring the runtime up
 *
 * After vectors, memory and the text alias work; before interrupts are enabled,
 * other CPUs or threads run. Return: 0 or -errno; the reason is printed.
 */
int __must_check baretrace_init(void);

/**
 * baretrace_poll() - do what was put off
 *
 * To be called now and then from a thread or the loop: unregisters what
 * unregister_ftrace_function_deferred() and unregister_ftrace_graph_deferred() were
 * asked for. What fails (no memory) is tried again by the next call. Where it may not
 * sleep, and in a callback, it does nothing. Return: how many were unregistered.
 */
int baretrace_poll(void);

enum baretrace_cause {
	BARETRACE_CAUSE_BREAKPOINT,
};

/**
 * baretrace_trap() - a trap the host cannot explain: is it ours?
 * @regs: the context that trapped, may be changed
 * @cause: what kind
 *
 * Any context, NMI too; interrupts off. Return: true when handled.
 */
bool baretrace_trap(struct pt_regs *regs, enum baretrace_cause cause);

/* What baretrace_irq_enter() put aside. */
struct baretrace_irq {
	unsigned long recursion;
	struct pt_regs *outer;
	unsigned long shadow_floor;
	unsigned long return_above;
};

/**
 * baretrace_irq_enter() / baretrace_irq_exit() - frame an interrupt or NMI
 * @regs: the interrupted context; its pc may be moved back out of a restartable window
 * @save: kept by the caller until exit, on the interrupt's stack
 *
 * The host calls enter before, and exit after, any traced code of the handler.
 */
void baretrace_irq_enter(struct pt_regs *regs, struct baretrace_irq *save);
void baretrace_irq_exit(struct baretrace_irq *save);

/* Registers of the innermost interrupted context of this CPU, NULL in thread context. */
struct pt_regs *baretrace_irq_regs(void);

// SPDX-License-Identifier: MIT
/* Two threads a CPU, preempted by the tick, that call the tracees of ftrace_tracees.h all the while. */
#pragma once

/* As many calls of each tracee by each thread; 0: until they are stopped. */
void ftrace_callers_start(unsigned long limit);

/* Wait for their end; wrong results are reported. Return: calls of each tracee. */
unsigned long ftrace_callers_join(void);

/* The same, at once. */
unsigned long ftrace_callers_stop(void);

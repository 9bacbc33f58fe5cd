// SPDX-License-Identifier: MIT
/* Faults below hooks, for crash.c: the backtrace leads through generated code and planted returns. */
#pragma once

/* In an interrupt in a callback. */
void crash_callback(void);

/* In the function graph's handler of an entry, of a return; the caller's return is hooked too. */
void crash_graph(void);
void crash_graph_return(void);

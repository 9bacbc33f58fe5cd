// SPDX-License-Identifier: MIT
/* The queue of ops to unregister, for who registers them. */
#pragma once

struct ftrace_ops;

/* Under ftrace_mutex: one that could not be registered is not in the queue. No callback of it runs. */
void deferred_forget(struct ftrace_ops *op);

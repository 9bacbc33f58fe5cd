// SPDX-License-Identifier: MIT
/* The queue of ops to unregister, for who registers them. */
#pragma once

#include "base/types.h"

struct ftrace_ops;

/* Take it out of the queue. Under ftrace_mutex. Return: was it there? */
bool deferred_forget(struct ftrace_ops *op);

// SPDX-License-Identifier: MIT
/*
 * Atomic words and memory barriers, on the compiler's builtins.
 *
 * ARMv5 has no exclusive access: there the compiler calls the __sync_ and
 * __atomic_ routines that arch/arm/atomic.c supplies with interrupts off
 * (one CPU).
 */
#pragma once

#include "base/types.h"

#define smp_mb()	__atomic_thread_fence(__ATOMIC_SEQ_CST)
#define smp_rmb()	__atomic_thread_fence(__ATOMIC_ACQUIRE)
#define smp_wmb()	__atomic_thread_fence(__ATOMIC_RELEASE)

#define smp_load_acquire(p)	__atomic_load_n(p, __ATOMIC_ACQUIRE)
#define smp_store_release(p, v)	__atomic_store_n(p, v, __ATOMIC_RELEASE)

#define atomic_read(p)		__atomic_load_n(p, __ATOMIC_RELAXED)
#define atomic_set(p, v)	__atomic_store_n(p, v, __ATOMIC_RELAXED)

/* All of these are full barriers, on unsigned int or unsigned long. */
#define atomic_fetch_add(p, v)	__atomic_fetch_add(p, v, __ATOMIC_SEQ_CST)
#define atomic_fetch_sub(p, v)	__atomic_fetch_sub(p, v, __ATOMIC_SEQ_CST)
#define atomic_fetch_or(p, v)	__atomic_fetch_or(p, v, __ATOMIC_SEQ_CST)
#define atomic_inc(p)		((void)atomic_fetch_add(p, 1))
#define atomic_dec(p)		((void)atomic_fetch_sub(p, 1))
#define atomic_xchg(p, v)	__atomic_exchange_n(p, v, __ATOMIC_SEQ_CST)

/* True when *p was @old and is @new now. */
#define atomic_cmpxchg(p, old, new) ({ \
	__typeof__(*(p)) expected_ = (old); \
	__atomic_compare_exchange_n(p, &expected_, new, false, \
				    __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST); \
})

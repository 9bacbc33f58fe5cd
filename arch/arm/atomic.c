// SPDX-License-Identifier: MIT
/*
 * The routines that the compiler calls for base/atomic.h: ARMv5 has no exclusive
 * access. With one CPU, atomic means that no interrupt comes between; FIQ is the
 * host's to keep away from words that are used with these.
 */
#include "base/atomic.h"

#include "base/host.h"

/* One CPU sees its own accesses in program order: only the compiler must not move them. */
void __sync_synchronize(void)
{
	barrier();
}

#define DEFINE_FETCH(name, operation) \
	unsigned int __atomic_##name##_4(volatile void *p, unsigned int value, int order) \
	{ \
		unsigned long flags = host_irq_save(); \
		volatile unsigned int *word = p; \
		unsigned int old = *word; \
		\
		*word = operation; \
		host_irq_restore(flags); \
		return old; \
	}

DEFINE_FETCH(fetch_add, old + value)
DEFINE_FETCH(fetch_sub, old - value)
DEFINE_FETCH(fetch_and, old & value)
DEFINE_FETCH(fetch_or, old | value)
DEFINE_FETCH(fetch_xor, old ^ value)
DEFINE_FETCH(exchange, value)

/* What was found goes to *@expected when it was something else. */
bool __atomic_compare_exchange_4(volatile void *p, void *expected, unsigned int desired,
				 bool weak, int success, int failure)
{
	unsigned long flags = host_irq_save();
	volatile unsigned int *word = p;
	unsigned int found = *word, *want = expected;
	bool same = found == *want;

	if (same)
		*word = desired;
	else
		*want = found;
	host_irq_restore(flags);
	return same;
}

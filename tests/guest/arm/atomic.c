// SPDX-License-Identifier: MIT
/* The atomic operations that gcc calls by name on ARMv5, in each size. */
#include "tests/test.h"

#include "base/atomic.h"
#include "base/types.h"
#include "kernel/port.h"

/* Not inlined into constants: the compiler must make the calls. */
#define DEFINE_CHECK(type) \
	static noinline bool check_##type(volatile type *p, type a, type b) \
	{ \
		type expected = a; \
		bool ok = true; \
		\
		*p = a; \
		ok &= __atomic_fetch_add(p, b, __ATOMIC_SEQ_CST) == a && *p == (type)(a + b); \
		ok &= __atomic_fetch_sub(p, b, __ATOMIC_SEQ_CST) == (type)(a + b) && *p == a; \
		ok &= __atomic_fetch_or(p, b, __ATOMIC_SEQ_CST) == a && *p == (type)(a | b); \
		*p = a; \
		ok &= __atomic_fetch_and(p, b, __ATOMIC_SEQ_CST) == a && *p == (type)(a & b); \
		*p = a; \
		ok &= __atomic_fetch_xor(p, b, __ATOMIC_SEQ_CST) == a && *p == (type)(a ^ b); \
		*p = a; \
		ok &= __atomic_exchange_n(p, b, __ATOMIC_SEQ_CST) == a && *p == b; \
		ok &= !__atomic_compare_exchange_n(p, &expected, a, false, __ATOMIC_SEQ_CST, \
						   __ATOMIC_SEQ_CST) && expected == b && *p == b; \
		ok &= __atomic_compare_exchange_n(p, &expected, a, false, __ATOMIC_SEQ_CST, \
						  __ATOMIC_SEQ_CST) && *p == a; \
		__atomic_store_n(p, b, __ATOMIC_RELEASE); \
		return ok && __atomic_load_n(p, __ATOMIC_ACQUIRE) == b; \
	}

DEFINE_CHECK(u8)
DEFINE_CHECK(u16)
DEFINE_CHECK(u32)
DEFINE_CHECK(u64)

static u8 byte[4];
static u16 half[2];
static u32 word[3];
static u64 two_words[3];

DEFINE_TEST(arm_atomics)
{
	unsigned long flags;
	bool on = irqs_enabled();

	report(check_u8(&byte[1], 0x7f, 0x83) && !byte[0] && !byte[2], "bytes");
	report(check_u16(&half[1], 0x7fff, 0x8003) && !half[0], "halfwords");
	report(check_u32(&word[1], 0x7fffffff, 0x80000003) && !word[0] && !word[2], "words");
	report(check_u64(&two_words[1], 0x7fffffffffffffffULL, 0x8000000000000003ULL) &&
	       !two_words[0] && !two_words[2], "double words");
	report(on && irqs_enabled(), "interrupts are on again");
	flags = irq_save();
	atomic_inc(&word[0]);
	on = irqs_enabled();
	irq_restore(flags);
	report(!on && word[0] == 1, "and stay off where they were");
}

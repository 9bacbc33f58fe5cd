// SPDX-License-Identifier: MIT
/*
 * Atomic operations of ARMv5, which has no exclusive access: gcc calls these by
 * their names. One CPU, so that interrupts off makes them atomic, and a barrier
 * is the compiler's only.
 */
#include "base/host.h"

/* The names are the compiler's own builtins: C may not define them but by label. */
#define LIBCALL(name)	__asm__(#name)

#define DEFINE_FETCH(type, bytes, op, expression) \
	type arm_fetch_##op##_##bytes(volatile type *p, type value, int order) \
		LIBCALL(__atomic_fetch_##op##_##bytes); \
	type arm_fetch_##op##_##bytes(volatile type *p, type value, int order) \
	{ \
		unsigned long flags = host_irq_save(); \
		type old = *p; \
		*p = (expression); \
		host_irq_restore(flags); \
		return old; \
	}

#define DEFINE_EXCHANGE(type, bytes) \
	type arm_exchange_##bytes(volatile type *p, type value, int order) \
		LIBCALL(__atomic_exchange_##bytes); \
	type arm_exchange_##bytes(volatile type *p, type value, int order) \
	{ \
		unsigned long flags = host_irq_save(); \
		type old = *p; \
		*p = value; \
		host_irq_restore(flags); \
		return old; \
	} \
	bool arm_compare_exchange_##bytes(volatile type *p, type *expected, type value, \
					  bool weak, int success, int failure) \
		LIBCALL(__atomic_compare_exchange_##bytes); \
	bool arm_compare_exchange_##bytes(volatile type *p, type *expected, type value, \
					  bool weak, int success, int failure) \
	{ \
		unsigned long flags = host_irq_save(); \
		type old = *p; \
		bool equal = old == *expected; \
		if (equal) \
			*p = value; \
		host_irq_restore(flags); \
		*expected = old; \
		return equal; \
	}

#define DEFINE_ATOMICS(type, bytes) \
	DEFINE_FETCH(type, bytes, add, old + value) \
	DEFINE_FETCH(type, bytes, sub, old - value) \
	DEFINE_FETCH(type, bytes, and, old & value) \
	DEFINE_FETCH(type, bytes, or, old | value) \
	DEFINE_FETCH(type, bytes, xor, old ^ value) \
	DEFINE_EXCHANGE(type, bytes)

DEFINE_ATOMICS(u8, 1)
DEFINE_ATOMICS(u16, 2)
DEFINE_ATOMICS(u32, 4)
DEFINE_ATOMICS(u64, 8)

/* Words are loaded and stored by one instruction, two words are not. */
u64 arm_load_8(const volatile u64 *p, int order) LIBCALL(__atomic_load_8);
u64 arm_load_8(const volatile u64 *p, int order)
{
	unsigned long flags = host_irq_save();
	u64 value = *p;

	host_irq_restore(flags);
	return value;
}

void arm_store_8(volatile u64 *p, u64 value, int order) LIBCALL(__atomic_store_8);
void arm_store_8(volatile u64 *p, u64 value, int order)
{
	unsigned long flags = host_irq_save();

	*p = value;
	host_irq_restore(flags);
}

void arm_synchronize(void) LIBCALL(__sync_synchronize);
void arm_synchronize(void)
{
	barrier();
}

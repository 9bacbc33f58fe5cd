// SPDX-License-Identifier: MIT
/* The integer types, attributes and small macros that every folder speaks. */
#pragma once

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;
typedef int32_t s32;
typedef int64_t s64;

/* C11 gives the keyword; its spelling is in <assert.h>, which the runtime does without. */
#ifndef static_assert
#define static_assert	_Static_assert
#endif

/* A libc header that came first may have its own, with the same meaning. */
#undef __packed
#undef __aligned
#undef __section
#undef __used
#undef __weak
#undef __noreturn
#undef __must_check
#undef __printf
#define __packed	__attribute__((packed))
#define __aligned(n)	__attribute__((aligned(n)))
#define __section(s)	__attribute__((section(s)))
#define __used		__attribute__((used))
#define __weak		__attribute__((weak))
#define __noreturn	__attribute__((noreturn))
#define __must_check	__attribute__((warn_unused_result))
#define __printf(f, a)	__attribute__((format(printf, f, a)))
#define noinline	__attribute__((noinline))
#define always_inline	inline __attribute__((always_inline))

/*
 * A function without a call site. Both attributes: -pg honours only the first,
 * -fpatchable-function-entry only the second.
 */
#define notrace \
	__attribute__((no_instrument_function, patchable_function_entry(0, 0)))

#define likely(x)	__builtin_expect(!!(x), 1)
#define unlikely(x)	__builtin_expect(!!(x), 0)

#define ARRAY_SIZE(a)	(sizeof(a) / sizeof((a)[0]))
#define ALIGN_DOWN(x, a)	((x) & ~((__typeof__(x))(a) - 1))
#define ALIGN_UP(x, a)	ALIGN_DOWN((x) + ((__typeof__(x))(a) - 1), a)
#define DIV_ROUND_UP(n, d)	(((n) + (d) - 1) / (d))
#define container_of(ptr, type, member) \
	((type *)((char *)(ptr) - offsetof(type, member)))

#define min(a, b) ({ __typeof__(a) a_ = (a); __typeof__(b) b_ = (b); a_ < b_ ? a_ : b_; })
#define max(a, b) ({ __typeof__(a) a_ = (a); __typeof__(b) b_ = (b); a_ > b_ ? a_ : b_; })

/* One access, not merged, not torn, not repeated by the compiler. */
#define READ_ONCE(x)		(*(const volatile __typeof__(x) *)&(x))
#define WRITE_ONCE(x, v)	(*(volatile __typeof__(x) *)&(x) = (v))

#define barrier()	__asm__ volatile("" ::: "memory")

#define PAGE_SIZE	4096UL
#define PAGE_SHIFT	12

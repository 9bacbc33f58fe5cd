// SPDX-License-Identifier: MIT
/* Places and shapes of ARM's call sites, and the changes that switch them. */
#include "check.h"

#include "arch/arm/a32.h"
#include "arch/arm/arm_mcount.h"
#include "base/errno.h"

#define SITE(offset, size, ...) ({ \
	const u32 words_[] = { __VA_ARGS__ }; \
	site_check(words_, ARRAY_SIZE(words_), offset, size); \
})
#define NOP		A32_NOP
#define OTHER		0xe3a00001u	/* mov r0, #1 */
#define THUMB_NOPS	0x46c046c0u

/* At an address of a word: branches go there. */
__attribute__((aligned(16))) void arm_ftrace_stub(void)
{
}

__attribute__((aligned(16))) void __gnu_mcount_nc(void)
{
}

#ifdef FLAVOUR_pg
static u32 call_to(unsigned int word, void (*to)(void))
{
	return a32_branch(A32_BL, (unsigned long)&text[word], (unsigned long)to);
}

static void check_shapes(void)
{
	check(SITE(4, 64, OTHER, A32_PUSH_LR, call_to(2, __gnu_mcount_nc)) == 0);
	check(SITE(0, 8, A32_PUSH_LR, call_to(1, __gnu_mcount_nc)) == 0);
	check(SITE(0, 4, A32_PUSH_LR, call_to(1, __gnu_mcount_nc)) == -EINVAL);
	/* Somebody else's call, a call without the push, a push without the call. */
	check(SITE(4, 64, OTHER, A32_PUSH_LR, call_to(2, arm_ftrace_stub)) == -EINVAL);
	check(SITE(4, 64, OTHER, OTHER, call_to(2, __gnu_mcount_nc)) == -EINVAL);
	check(SITE(4, 64, OTHER, A32_PUSH_LR, OTHER) == -EINVAL);
	check(SITE(8, 64, OTHER, A32_PUSH_LR, call_to(2, __gnu_mcount_nc)) == -EINVAL);
}
#else
static void check_shapes(void)
{
	check(SITE(0, 64, NOP, NOP) == 0 && SITE(0, 8, NOP, NOP) == 0);
	check(SITE(0, 4, NOP, NOP) == -EINVAL);
	/* In the middle, other bytes, switched on already. */
	check(SITE(4, 64, OTHER, NOP, NOP) == -EINVAL && SITE(4, 64, NOP, NOP, NOP) == -EINVAL);
	check(SITE(0, 64, NOP, OTHER) == -EINVAL && SITE(0, 64, OTHER, NOP) == -EINVAL);
	check(SITE(0, 64, A32_SKIP, A32_BL) == -EINVAL && SITE(0, 64, A32_PUSH_LR, A32_BL) == -EINVAL);
}
#endif

static void check_thumb(void)
{
	check(SITE(0, 64, THUMB_NOPS) == -EOPNOTSUPP);
	check(SITE(2, 64, THUMB_NOPS, THUMB_NOPS) == -EOPNOTSUPP);
	check(SITE(1, 64, THUMB_NOPS, THUMB_NOPS) == -EINVAL);
	check(SITE(64, 64, NOP) == -EINVAL);
}

static void check_init(void)
{
	unsigned long ip = (unsigned long)text, stub = (unsigned long)arm_ftrace_stub;

	text[0] = text[1] = NOP;
	code_pool = ip + 0x1000;
	nr_writes = 0;
	/* Never a push without a call behind it: the call comes first. */
	check(arch_site_init(ip) == 8 && nr_writes == 2 && writes[0] == ip + 4 && writes[1] == ip);
	check(text[0] == A32_SKIP && a32_branch_target(text[0], ip) == ip + 8);
	check(arch_insn_target((const u8 *)&text[1], ip + 4) == stub);
	/* The pool's last instruction is out of reach: nothing is written. */
	code_pool = ip + 12 + (1L << 25) - 0x1000;
	check(arch_site_init(ip) == 8);
	nr_writes = 0;
	code_pool += 4;
	check(arch_site_init(ip) == -ERANGE && nr_writes == 0);
	code_pool = ip + 12 - (1L << 25);
	check(arch_site_init(ip) == 8);
	nr_writes = 0;
	code_pool -= 4;
	check(arch_site_init(ip) == -ERANGE && nr_writes == 0);
}

static void check_pokes(void)
{
	unsigned long ip = (unsigned long)text, call = ip + 4, stub = (unsigned long)arm_ftrace_stub;
	unsigned long one = ip + 0x10000, other = ip + 0x20000;
	struct text_poke p[ARCH_SITE_POKES];

	check(arch_site_pokes(ip, 0, one, p) == 2 && p[0].addr == ip && p[1].addr == call);
	check(a32_word(p[0].old) == A32_SKIP && a32_word(p[0].new) == A32_PUSH_LR);
	check(arch_insn_target(p[1].old, call) == stub && arch_insn_target(p[1].new, call) == one);
	check(arch_site_pokes(ip, one, 0, p) == 2 && p[0].addr == ip && p[1].addr == call);
	check(a32_word(p[0].old) == A32_PUSH_LR && a32_word(p[0].new) == A32_SKIP);
	check(arch_insn_target(p[1].old, call) == one && arch_insn_target(p[1].new, call) == stub);
	check(arch_site_pokes(ip, one, other, p) == 2 && p[1].addr == call && p[1].len == 4);
	check(a32_word(p[0].old) == A32_PUSH_LR && a32_word(p[0].new) == A32_PUSH_LR);
	check(arch_insn_target(p[1].old, call) == one && arch_insn_target(p[1].new, call) == other);
	check(arch_site_reaches(ip, 0) && arch_site_reaches(ip, one));
	check(arch_site_reaches(ip, call + 4 + (1L << 25)) && !arch_site_reaches(ip, call + 8 + (1L << 25)));
	check(arch_site_reaches(ip, call + 8 - (1L << 25)) && !arch_site_reaches(ip, call + 4 - (1L << 25)));
	/* Thumb code is not called by a site. */
	check(!arch_site_reaches(ip, one + 1));
}

void check_sites(void)
{
	check_shapes();
	check_thumb();
	check_init();
	check_pokes();
}

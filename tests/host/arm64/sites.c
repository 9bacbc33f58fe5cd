// SPDX-License-Identifier: MIT
/* Places and shapes of arm64's call sites, and the changes that switch them. */
#include "check.h"

#include "arch/arm64/a64.h"
#include "base/errno.h"

#define SITE(offset, size, ...) ({ \
	const u32 words_[] = { __VA_ARGS__ }; \
	site_check(words_, ARRAY_SIZE(words_), offset, size); \
})
#define NOP	A64_NOP
#define PACIASP	0xd503233fu
#define OTHER	0x52800020u	/* mov w0, #1 */

/* pg: the words of a site that change are one, at the record; pfe: the second one. */
#ifdef FLAVOUR_pg
#define CALL_OFFSET	0
#define OFF_WORD	A64_NOP

void _mcount(void);
__attribute__((aligned(16))) void _mcount(void)
{
}

static u32 call_mcount(unsigned int word)
{
	return a64_branch(A64_BL, (unsigned long)&text[word], (unsigned long)_mcount);
}

static void check_shapes(void)
{
	u32 mov = A64_MOV_X0_X30;

	check(SITE(8, 64, OTHER, mov, call_mcount(2)) == 0);
	check(SITE(12, 64, OTHER, mov, OTHER, call_mcount(3)) == 0);
	check(SITE(12, 16, OTHER, mov, OTHER, call_mcount(3)) == 0);
	check(SITE(12, 12, OTHER, mov, OTHER, call_mcount(3)) == -EINVAL);
	/* Nothing says where the parent is. */
	check(SITE(8, 64, OTHER, OTHER, call_mcount(2)) == -EOPNOTSUPP);
	check(SITE(0, 64, call_mcount(0)) == -EINVAL);
	/* Somebody else's call, a jump, nothing. */
	check(SITE(8, 64, OTHER, mov, call_mcount(3)) == -EINVAL);
	check(SITE(8, 64, OTHER, mov, call_mcount(2) & ~0x80000000u) == -EINVAL);
	check(SITE(8, 64, OTHER, mov, NOP) == -EINVAL);
	check(SITE(10, 64, OTHER, mov, call_mcount(2)) == -EINVAL);
}
#else
#define CALL_OFFSET	4
#define OFF_WORD	A64_MOV_X9_X30

static void check_shapes(void)
{
	check(SITE(0, 64, NOP, NOP) == 0 && SITE(0, 8, NOP, NOP) == 0);
	check(SITE(0, 4, NOP, NOP) == -EINVAL);
	/* Behind a landing pad, in front of paciasp. */
	check(SITE(4, 64, A64_BTI_C, NOP, NOP, PACIASP) == 0);
	check(SITE(4, 64, A64_BTI_JC, NOP, NOP) == 0);
	check(SITE(0, 64, A64_BTI_C, NOP, NOP) == -EINVAL);
	/* In the middle, in front of the function, between instructions, other bytes. */
	check(SITE(4, 64, OTHER, NOP, NOP) == -EINVAL && SITE(8, 64, A64_BTI_C, OTHER, NOP, NOP) == -EINVAL);
	check(SITE(4, 64, PACIASP, NOP, NOP) == -EINVAL);
	check(SITE(2, 64, NOP, NOP, NOP) == -EINVAL);
	check(SITE(0, 64, NOP, OTHER) == -EINVAL && SITE(0, 64, OTHER, NOP) == -EINVAL);
	check(SITE(0, 64, A64_MOV_X9_X30, NOP) == -EINVAL);
	check(SITE(64, 64, NOP) == -EINVAL);
}
#endif

static void check_init(void)
{
	unsigned long ip = (unsigned long)text;

	text[0] = text[1] = NOP;
	code_pool = ip + 0x1000;
	nr_writes = 0;
	check(arch_site_init(ip) == 4 && nr_writes == 1 && writes[0] == ip);
	check(text[0] == OFF_WORD && text[1] == NOP);
	/* The pool's last instruction is out of reach: nothing is written. */
	code_pool = ip + CALL_OFFSET + (1L << 27) - 0x1000;
	check(arch_site_init(ip) == 4);
	nr_writes = 0;
	code_pool += 4;
	check(arch_site_init(ip) == -ERANGE && nr_writes == 0);
	code_pool = ip + CALL_OFFSET - (1L << 27);
	check(arch_site_init(ip) == 4);
	nr_writes = 0;
	code_pool -= 4;
	check(arch_site_init(ip) == -ERANGE && nr_writes == 0);
}

static void check_pokes(void)
{
	unsigned long ip = 0x40080000, call = ip + CALL_OFFSET, one = 0x40100000, other = 0x40200000;
	struct text_poke p;

	check(arch_site_pokes(ip, 0, one, &p) == 1 && p.addr == call && p.len == 4);
	check(a64_word(p.old) == NOP && arch_insn_target(p.new, call) == one);
	check(arch_site_pokes(ip, one, 0, &p) == 1 && a64_word(p.new) == NOP);
	check(arch_insn_target(p.old, call) == one);
	check(arch_site_pokes(ip, one, other, &p) == 1 && arch_insn_target(p.new, call) == other);
	/* Every change of a site is one that running CPUs may meet. */
	check(arch_insn_swappable(p.old) && arch_insn_swappable(p.new));
	check(arch_site_reaches(ip, 0) && arch_site_reaches(ip, one) && !arch_site_reaches(ip, one + 2));
	check(arch_site_reaches(ip, call + (1L << 27) - 4) && !arch_site_reaches(ip, call + (1L << 27)));
	check(arch_site_reaches(ip, call - (1L << 27)) && !arch_site_reaches(ip, call - (1L << 27) - 4));
}

void check_sites(void)
{
	check_shapes();
	check_init();
	check_pokes();
}

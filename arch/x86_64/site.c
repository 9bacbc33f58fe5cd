// SPDX-License-Identifier: MIT
/*
 * Call sites of x86-64: one five-byte nop at a function's entry, in front of
 * everything, or behind endbr64.
 *
 *	compiled	0f 1f 44 00 00	nop (clang: 0f 1f 44 00 08)
 *	off		0f 1f 44 00 00	nop
 *	on		e8 rel32	call trampoline
 *
 * One instruction in every state, so a context that stands at the site runs the
 * old one or the new one, and none can stand inside it.
 */
#include "arch/arch.h"

#include "base/errno.h"
#include "base/host.h"
#include "base/string.h"
#include "site_words.h"

const char arch_site_flavour[] = FLAVOUR;

static const u8 endbr64[] = { 0xf3, 0x0f, 0x1e, 0xfa };
static const u8 push_r10[] = { 0x41, 0x52 };
static const u8 one_byte_nops[ARCH_INSN_BYTES] = { 0x90, 0x90, 0x90, 0x90, 0x90 };
static const u8 clang_nop5[ARCH_INSN_BYTES] = { 0x0f, 0x1f, 0x44, 0x00, 0x08 };

static bool begins_with(unsigned long addr, const u8 *bytes, size_t n)
{
	return memcmp((const void *)addr, bytes, n) == 0;
}

/*
 * A nested function gets its static chain in r10, and gcc pushes that before
 * the site: what a trampoline takes for the return address would be the chain.
 */
static int check_place(unsigned long ip, const struct kallsym *sym)
{
	unsigned long entry = sym->addr;

	if (ip < entry || ip + ARCH_INSN_BYTES > entry + sym->size)
		return -EINVAL;
	if (ip - entry >= sizeof(endbr64) && begins_with(entry, endbr64, sizeof(endbr64)))
		entry += sizeof(endbr64);
	if (ip == entry)
		return 0;
	if (ip == entry + sizeof(push_r10) && begins_with(entry, push_r10, sizeof(push_r10)))
		return -EOPNOTSUPP;
	return -EINVAL;
}

static int check_bytes(unsigned long ip)
{
	u8 nop[ARCH_INSN_BYTES];

	arch_insn_nop(nop);
	if (begins_with(ip, nop, sizeof(nop)) || begins_with(ip, clang_nop5, sizeof(clang_nop5)))
		return 0;
	/* A context may stand between two of the five: they cannot become one instruction. */
	if (begins_with(ip, one_byte_nops, sizeof(one_byte_nops)))
		return -EOPNOTSUPP;
	return -EINVAL;
}

int arch_site_check(unsigned long ip, const struct kallsym *sym)
{
	int error = check_place(ip, sym);

	return error ? error : check_bytes(ip);
}

int arch_site_init(unsigned long ip)
{
	u8 insn[ARCH_INSN_BYTES];
	size_t pool_bytes;
	unsigned long pool = host_code_pool(&pool_bytes);

	if (arch_insn_call(insn, ip, pool) || arch_insn_call(insn, ip, pool + pool_bytes))
		return -ERANGE;
	arch_insn_nop(insn);
	if (begins_with(ip, insn, sizeof(insn)))
		return 0;
	arch_text_write(ip, insn, sizeof(insn));
	return sizeof(insn);
}

bool arch_site_reaches(unsigned long ip, unsigned long target)
{
	u8 insn[ARCH_INSN_BYTES];

	return !target || arch_insn_call(insn, ip, target) == 0;
}

/* ---- changes ---- */

static void site_insn(u8 *insn, unsigned long ip, unsigned long target)
{
	u32 tail = site_tail(ip, target);

	insn[0] = site_head(target);
	__builtin_memcpy(insn + 1, &tail, sizeof(tail));
}

unsigned int arch_site_pokes(unsigned long ip, unsigned long old_target,
			     unsigned long new_target, struct text_poke *pokes)
{
	pokes->addr = ip;
	pokes->len = ARCH_INSN_BYTES;
	site_insn(pokes->old, ip, old_target);
	site_insn(pokes->new, ip, new_target);
	return 1;
}

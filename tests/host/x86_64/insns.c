// SPDX-License-Identifier: MIT
/*
 * x86-64's encoders against the assembler.
 *
 *	insns source		assembly of all cases, each padded to 16 bytes
 *	insns check FILE	compare the encoders with what the assembler made
 */
#include "arch/arch.h"

#include <stdio.h>
#include <string.h>

#include "base/errno.h"

#define SLOT	16
#define LIMIT	0x7fffffffL	/* displacement from the end of the instruction */

static const long displacements[] = {
	0, 1, -1, 2, -5, 5, 127, 128, -128, -129, 0x1234, -0x1234, 0x12345678, -0x12345678,
	LIMIT - 1, LIMIT, -LIMIT, -LIMIT - 1,
};

static const unsigned long froms[] = {
	0, 1, 0x100000, 0x12345671, 0x7fffffff, 0xffffffff80000000UL, 0x7fffffffffff0000UL,
};

static unsigned int checks, failures;

static void check_at(int line, int cond)
{
	checks++;
	if (cond)
		return;
	failures++;
	fprintf(stderr, "FAIL: tests/host/x86_64/insns.c:%d\n", line);
}
#define check(cond) check_at(__LINE__, cond)

static void print_source(void)
{
	for (unsigned int i = 0; i < ARRAY_SIZE(displacements); i++)
		printf(".balign %d, 0\n{disp32} call . + 5 + (%ld)\n.balign %d, 0\n{disp32} jmp . + 5 + (%ld)\n",
		       SLOT, displacements[i], SLOT, displacements[i]);
	printf(".balign %d, 0\n{disp8} nopl 0(%%rax,%%rax,1)\n.balign %d, 0\nint3\n.balign %d, 0\n",
	       SLOT, SLOT, SLOT);
}

/* An instruction of @n bytes in slot @slot of the assembler's file. */
static int as_assembled(const unsigned char *file, unsigned int slot, const u8 *insn, unsigned int n)
{
	return memcmp(file + slot * SLOT, insn, n) == 0 && (n == SLOT || file[slot * SLOT + n] == 0);
}

static void check_encodings(const unsigned char *file)
{
	u8 call[ARCH_INSN_BYTES], jump[ARCH_INSN_BYTES];
	unsigned int slot = 0;

	for (unsigned int i = 0; i < ARRAY_SIZE(displacements); i++, slot += 2) {
		for (unsigned int k = 0; k < ARRAY_SIZE(froms); k++) {
			unsigned long from = froms[k], to = from + 5 + displacements[i];

			check(arch_insn_call(call, from, to) == 0 && as_assembled(file, slot, call, 5));
			check(arch_insn_jump(jump, from, to) == 0 && as_assembled(file, slot + 1, jump, 5));
			check(arch_insn_target(call, from) == to && arch_insn_target(jump, from) == to);
		}
	}
	arch_insn_nop(call);
	check(as_assembled(file, slot, call, ARCH_INSN_BYTES));
	check(arch_insn_target(call, 0x1000) == 0 && !arch_insn_swappable(call));
	arch_insn_breakpoint(call);
	check(as_assembled(file, slot + 1, call, ARCH_BREAKPOINT_BYTES));
	check(arch_insn_target(call, 0x1000) == 0);
}

/* One past the limit, both ways: refused, nothing written. */
static void check_limits(void)
{
	static const long beyond[] = { LIMIT + 1, LIMIT + 2, -LIMIT - 2, -LIMIT - 3, 1L << 40, -(1L << 40) };
	static const u8 untouched[ARCH_INSN_BYTES] = { 1, 2, 3, 4, 5 };
	u8 insn[ARCH_INSN_BYTES] = { 1, 2, 3, 4, 5 };

	for (unsigned int i = 0; i < ARRAY_SIZE(beyond); i++) {
		for (unsigned int k = 0; k < ARRAY_SIZE(froms); k++) {
			unsigned long from = froms[k], to = from + 5 + beyond[i];

			check(arch_insn_call(insn, from, to) == -ERANGE);
			check(arch_insn_jump(insn, from, to) == -ERANGE);
			check(memcmp(insn, untouched, sizeof(insn)) == 0);
		}
	}
}

/* What a site's changes are made of, and what emulating them does. */
static void check_pokes(void)
{
	static unsigned long stack[4];
	struct pt_regs regs = { .sp = (unsigned long)&stack[3] };
	struct text_poke poke;
	u8 nop[ARCH_INSN_BYTES], call[ARCH_INSN_BYTES], jump[ARCH_INSN_BYTES];
	unsigned long ip = 0x100000, target = 0x123456;

	arch_insn_nop(nop);
	check(arch_insn_call(call, ip, target) == 0 && arch_insn_jump(jump, ip, target) == 0);
	check(arch_site_pokes(ip, 0, target, &poke) == 1 && poke.addr == ip && poke.len == 5);
	check(memcmp(poke.old, nop, 5) == 0 && memcmp(poke.new, call, 5) == 0);
	check(arch_site_pokes(ip, target, 0, &poke) == 1);
	check(memcmp(poke.new, nop, 5) == 0 && memcmp(poke.old, call, 5) == 0);
	check(arch_site_reaches(ip, 0) && arch_site_reaches(ip, target));
	check(arch_site_reaches(ip, ip + 5 + 0x7fffffff) && !arch_site_reaches(ip, ip + 5 + 0x80000000ul));

	regs.ip = ip + 1;
	check(arch_trap_address(&regs) == ip);
	check(arch_emulate(&regs, ip, nop) && regs.ip == ip + 5 && regs.sp == (unsigned long)&stack[3]);
	check(arch_emulate(&regs, ip, jump) && regs.ip == target && regs.sp == (unsigned long)&stack[3]);
	check(arch_emulate(&regs, ip, call) && regs.ip == target && regs.sp == (unsigned long)&stack[2]);
	check(stack[2] == ip + 5);
	call[0] = 0x55;
	check(!arch_emulate(&regs, ip, call));
}

/* ---- places and shapes of sites, as compilers make them ---- */

static int site_check(const char *code, size_t n, unsigned int offset, size_t size)
{
	static u8 text[64];
	struct kallsym sym = { .addr = (unsigned long)text, .size = size, .name = "f" };

	memset(text, 0xcc, sizeof(text));
	memcpy(text, code, n);
	return arch_site_check((unsigned long)text + offset, &sym);
}

#define NOP	"\x0f\x1f\x44\x00\x00"
#define CLANG	"\x0f\x1f\x44\x00\x08"
#define NOPS	"\x90\x90\x90\x90\x90"
#define ENDBR	"\xf3\x0f\x1e\xfa"
#define PUSH	"\x41\x52"
#define SITE(code, offset, size)	site_check(code, sizeof(code) - 1, offset, size)

static void check_sites(void)
{
	check(SITE(NOP, 0, 32) == 0 && SITE(CLANG, 0, 32) == 0);
	check(SITE(ENDBR NOP, 4, 32) == 0 && SITE(ENDBR CLANG, 4, 32) == 0);
	check(SITE(NOP, 0, 5) == 0 && SITE(NOP, 0, 4) == -EINVAL);
	check(SITE(NOPS, 0, 32) == -EOPNOTSUPP && SITE(ENDBR NOPS, 4, 32) == -EOPNOTSUPP);
	check(SITE(PUSH NOP, 2, 32) == -EOPNOTSUPP && SITE(ENDBR PUSH NOP, 6, 32) == -EOPNOTSUPP);
	/* In the middle, on the pad, and something else at the entry. */
	check(SITE("\x90" NOP, 1, 32) == -EINVAL && SITE("\x53\x50" NOP, 2, 32) == -EINVAL);
	check(SITE(ENDBR NOP, 0, 32) == -EINVAL && SITE("\xe8\1\2\3\4", 0, 32) == -EINVAL);
	check(SITE("\x55\x48\x89\xe5\x5d", 0, 32) == -EINVAL);
	check(SITE(NOP, 40, 32) == -EINVAL);
}

int main(int argc, char **argv)
{
	static unsigned char file[8192];
	FILE *f;

	if (argc == 2 && strcmp(argv[1], "source") == 0) {
		print_source();
		return 0;
	}
	f = argc == 3 ? fopen(argv[2], "rb") : NULL;
	if (!f || fread(file, 1, sizeof(file), f) < (2 * ARRAY_SIZE(displacements) + 2) * SLOT)
		return 1;
	fclose(f);
	check_encodings(file);
	check_limits();
	check_pokes();
	check_sites();
	printf("SUMMARY: %u tests, %u failures, 0 skipped\n", checks, failures);
	return failures || !checks;
}

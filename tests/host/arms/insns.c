// SPDX-License-Identifier: MIT
/*
 * Encoders of four-byte instructions against the assembler.
 *
 *	insns source		assembly of all cases
 *	insns check FILE	compare the encoders with what the assembler made
 *
 * <isa>/isa.h gives the lowest and the highest distance of a branch and the texts
 * of other instructions; <isa>/sites.c looks at places and shapes of sites.
 */
#include "check.h"
#include "isa.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/errno.h"
#include "base/host.h"

static const long distances[] = {
	0, 4, -4, 8, 12, -8, 0x1234, -0x1234, 0x123456 & ~3, -(0x123456 & ~3),
	ISA_LOWEST, ISA_LOWEST + 4, ISA_HIGHEST - 4, ISA_HIGHEST,
};

static const unsigned long froms[] = {
	0x10000000, 0x10000004, 0x40080000, 0x7ffffffc, 0x80000000,
};

/* One instruction past the limit and more, both ways; and between instructions. */
static const long refused[] = {
	ISA_LOWEST - 4, ISA_LOWEST - 8, ISA_HIGHEST + 4, ISA_HIGHEST + 8,
	ISA_LOWEST * 2, ISA_HIGHEST * 2, 1, 2, 3, -1, ISA_HIGHEST - 1, ISA_HIGHEST + 1, ISA_LOWEST + 2,
};

static const struct isa_other others[] = ISA_OTHERS;

static unsigned int checks, failures;

void check_at(const char *file, int line, int cond)
{
	checks++;
	if (cond)
		return;
	failures++;
	fprintf(stderr, "FAIL: %s:%d\n", file, line);
}

static void print_source(void)
{
	for (unsigned int i = 0; i < ARRAY_SIZE(distances); i++)
		printf("bl . + (%ld)\nb . + (%ld)\n", distances[i], distances[i]);
	for (unsigned int i = 0; i < ARRAY_SIZE(others); i++)
		printf("%s\n", others[i].text);
}

/* Is it the next instruction of the assembler's? */
static int same(const u8 **file, const u8 *insn)
{
	int equal = memcmp(*file, insn, ARCH_INSN_BYTES) == 0;

	*file += ARCH_INSN_BYTES;
	return equal;
}

static void check_branches(const u8 **file)
{
	u8 call[ARCH_INSN_BYTES], jump[ARCH_INSN_BYTES];

	for (unsigned int i = 0; i < ARRAY_SIZE(distances); i++) {
		for (unsigned int k = 0; k < ARRAY_SIZE(froms); k++) {
			unsigned long from = froms[k], to = from + distances[i];
			const u8 *at = *file;

			check(arch_insn_call(call, from, to) == 0 && same(&at, call));
			check(arch_insn_jump(jump, from, to) == 0 && same(&at, jump));
			check(arch_insn_target(call, from) == to && arch_insn_target(jump, from) == to);
		}
		*file += 2 * ARCH_INSN_BYTES;
	}
}

static void check_others(const u8 **file)
{
	struct pt_regs regs;
	u8 insn[ARCH_INSN_BYTES];

	for (unsigned int i = 0; i < ARRAY_SIZE(others); i++) {
		if (others[i].encode) {
			others[i].encode(insn);
			check(memcmp(*file, insn, sizeof(insn)) == 0);
		}
		check(arch_insn_swappable(*file) == others[i].swappable);
		if (!others[i].is_branch)
			check(arch_insn_target(*file, 0x1000) == 0);
		if (!others[i].is_branch && others[i].encode != arch_insn_nop)
			check(!arch_emulate(&regs, 0x1000, *file));
		*file += ARCH_INSN_BYTES;
	}
}

static void check_limits(void)
{
	static const u8 untouched[ARCH_INSN_BYTES] = { 1, 2, 3, 4 };
	u8 insn[ARCH_INSN_BYTES] = { 1, 2, 3, 4 };

	for (unsigned int i = 0; i < ARRAY_SIZE(refused); i++) {
		for (unsigned int k = 0; k < ARRAY_SIZE(froms); k++) {
			unsigned long from = froms[k], to = from + refused[i];

			check(arch_insn_call(insn, from, to) == -ERANGE);
			check(arch_insn_jump(insn, from, to) == -ERANGE);
			check(memcmp(insn, untouched, sizeof(insn)) == 0);
		}
	}
}

static void check_emulation(void)
{
	struct pt_regs regs = { .pc = 0x1000 };
	u8 insn[ARCH_INSN_BYTES];

	check(arch_trap_address(&regs) == 0x1000);
	arch_insn_nop(insn);
	check(arch_emulate(&regs, 0x1000, insn) && regs.pc == 0x1004 && isa_link(&regs) == 0);
	check(arch_insn_jump(insn, 0x1000, 0x2000) == 0);
	check(arch_emulate(&regs, 0x1000, insn) && regs.pc == 0x2000 && isa_link(&regs) == 0);
	check(arch_insn_call(insn, 0x1000, 0x3000) == 0);
	check(arch_emulate(&regs, 0x1000, insn) && regs.pc == 0x3000 && isa_link(&regs) == 0x1004);
	/* An instruction's bytes need not be aligned. */
	u8 odd[ARCH_INSN_BYTES + 1];
	memcpy(odd + 1, insn, sizeof(insn));
	check(arch_insn_target(odd + 1, 0x1000) == 0x3000);
}

/* ---- what the ports' files are linked with ---- */

u32 text[TEXT_WORDS];
unsigned long code_pool;
unsigned long writes[8];
unsigned int nr_writes;

int site_check(const u32 *words, unsigned int n, unsigned int offset, unsigned long size)
{
	struct kallsym sym = { .addr = (unsigned long)text, .size = size, .name = "f" };

	memset(text, 0xcc, sizeof(text));
	memcpy(text, words, n * sizeof(*words));
	return arch_site_check((unsigned long)text + offset, &sym);
}

void arch_text_write(unsigned long addr, const u8 *bytes, unsigned int len)
{
	if (nr_writes < ARRAY_SIZE(writes))
		writes[nr_writes] = addr;
	nr_writes++;
	memcpy((void *)addr, bytes, len);
}

unsigned long host_code_pool(size_t *size_bytes)
{
	*size_bytes = 0x1000;
	return code_pool;
}

int main(int argc, char **argv)
{
	static u8 file[8192];
	const u8 *at = file;
	FILE *f;

	if (argc == 2 && strcmp(argv[1], "source") == 0) {
		print_source();
		return 0;
	}
	f = argc == 3 ? fopen(argv[2], "rb") : NULL;
	if (!f || fread(file, 1, sizeof(file), f) !=
		  (2 * ARRAY_SIZE(distances) + ARRAY_SIZE(others)) * ARCH_INSN_BYTES)
		return 1;
	fclose(f);
	check_branches(&at);
	check_others(&at);
	check_limits();
	check_emulation();
	check_sites();
	printf("SUMMARY: %u tests, %u failures, 0 skipped\n", checks, failures);
	return failures || !checks;
}

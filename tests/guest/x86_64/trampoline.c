// SPDX-License-Identifier: MIT
/* Generated trampolines in the guest, with interrupts on: everything they promise. */
#include "tests/test.h"
#include "tests/guest/x86_64/trampoline_check.h"

#include "kernel/thread.h"
#include "patch/code_pool.h"

static u8 code[4096];

static void run_case(const struct trampoline_case *c)
{
	struct trampoline_spec spec;
	struct trampoline_frame frame;
	struct code_block *block = code_pool_alloc(sizeof(code), c->name);
	const char *wrong;
	int size;

	report(block != NULL, "%s: room", c->name);
	if (!block)
		return;
	trampoline_case_spec(c, &spec);
	size = arch_trampoline_generate(&spec, block->start, code, sizeof(code), &frame);
	report(size > 0, "%s: %d bytes", c->name, size);
	if (size > 0) {
		code_pool_write(block, code, size);
		code_pool_publish();
		wrong = trampoline_case_run(c, block->start, X86_FLAGS_IF);
		report(!wrong, "%s: %s", c->name, wrong ? wrong : "everything is kept");
	}
	code_pool_free(block);
}

DEFINE_TEST(x86_trampoline)
{
	for (unsigned int i = 0; i < nr_trampoline_cases; i++)
		run_case(&trampoline_cases[i]);
}

// SPDX-License-Identifier: MIT
/*
 * Trampolines run on the host, single-stepped: at every instruction the unwinder
 * must find the site behind and the parent. Only on an x86-64 host.
 */
#define _GNU_SOURCE
#include "tests/guest/x86_64/trampoline_check.h"
#include "tests/guest/x86_64/trampoline_probe.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>

#include "base/errno.h"
#include "base/host.h"

#define ROOM	4096
#define TF	0x100UL

static unsigned int checks, failures, steps;
static unsigned long start;
static int size;
static struct trampoline_frame frame;

static void check_at(int line, int cond)
{
	checks++;
	if (cond)
		return;
	failures++;
	fprintf(stderr, "FAIL: tests/host/x86_64/trampoline.c:%d\n", line);
	if (failures > 20)
		exit(1);
}
#define check(cond) check_at(__LINE__, cond)

/* What insn.c to unwind.c ask of their host. */
void host_stack_bounds(unsigned long *low, unsigned long *high)
{
	*low = 0;
	*high = ~7UL;
}

bool kallsyms_lookup(unsigned long addr, struct kallsym *sym)
{
	return false;
}

unsigned long host_code_pool(size_t *size_bytes)
{
	*size_bytes = 0;
	return 0;
}

/* Where generated code finds its host's state: plain variables. */
static unsigned long fake_state[4], fake_counters[4];
static unsigned char fake_watching = 1;

struct host_place host_trace_state_place(void)
{
	return (struct host_place){ HOST_BASE_ADDRESS, (unsigned long)fake_state, false };
}

struct host_place host_watching_place(void)
{
	return (struct host_place){ HOST_BASE_ADDRESS, (unsigned long)&fake_watching, false };
}

struct host_counters host_counters(void)
{
	return (struct host_counters){
		.place = { HOST_BASE_ADDRESS, (unsigned long)fake_counters, false },
		.first = (unsigned long)fake_counters,
		.nr = ARRAY_SIZE(fake_counters),
	};
}

static void check_unwind(unsigned long pc, unsigned long sp, unsigned long fp)
{
	struct unwind_frame f = { .pc = pc, .sp = sp, .fp = fp, .stack_high = ~7UL };
	struct unwind_frame narrow = f;
	unsigned long parent = 0;

	check(arch_unwind_trampoline(&f, &frame, pc - start, &parent));
	check(f.pc == trampoline_goes_on && parent == (unsigned long)probe_parent);
	check(f.fp == fp && *(unsigned long *)(f.sp - 8) == parent);
	/* A stack that ends below the parent's address is not read. */
	narrow.stack_low = sp;
	narrow.stack_high = f.sp - 8;
	check(!arch_unwind_trampoline(&narrow, &frame, pc - start, &parent));
}

static void stepped(int sig, siginfo_t *info, void *context)
{
	const greg_t *regs = ((ucontext_t *)context)->uc_mcontext.gregs;
	unsigned long pc = regs[REG_RIP];

	if (pc - start >= (unsigned long)size)
		return;
	steps++;
	check_unwind(pc, regs[REG_RSP], regs[REG_RBP]);
}

static bool start_with_calls(const struct trampoline_spec *spec)
{
	return !(spec->calls[0].flags & TRAMPOLINE_CALL_COUNT) || spec->nr_calls > 1 || spec->direct;
}

/* The code depends on nothing but its arguments; too little room is refused, never overrun. */
static void check_room(const struct trampoline_spec *spec, u8 *code)
{
	struct trampoline_frame f;
	u8 *copy = malloc(size);

	check(arch_trampoline_generate(spec, start, copy, size, &f) == size);
	check(memcmp(copy, code, size) == 0 && memcmp(&f, &frame, sizeof(f)) == 0);
	for (int room = 0; room < size; room += size > 200 ? 7 : 1) {
		u8 *exact = malloc(room ? room : 1);

		check(arch_trampoline_generate(spec, start, exact, room, &f) == -ENOSPC);
		free(exact);
	}
	if (start_with_calls(spec))
		check(arch_trampoline_generate(spec, start + (1UL << 40), copy, size, &f) == -ERANGE);
	free(copy);
}

/* Single-stepped once more for each reason to leave ops out. */
static void leave_out(const struct trampoline_case *c)
{
	trampoline_left_out = c->call_flags & TRAMPOLINE_CALL_GUARD;
	fake_state[0] = 1;
	check(!trampoline_case_run(c, start, TF));
	check(fake_state[0] == 1);
	fake_state[0] = 0;
	trampoline_left_out = c->call_flags & TRAMPOLINE_CALL_WATCHING;
	fake_watching = 0;
	check(!trampoline_case_run(c, start, TF));
	fake_watching = 1;
	trampoline_left_out = false;
	check(fake_state[0] == 0);
}

static void run_case(const struct trampoline_case *c, u8 *code)
{
	struct trampoline_spec spec;
	const char *wrong;

	trampoline_case_spec(c, &spec);
	start = (unsigned long)code;
	arch_fill_traps(code, ROOM);
	size = arch_trampoline_generate(&spec, start, code, ROOM, &frame);
	check(size > 0 && code[size] == 0xcc);
	check(frame.frame_bytes == frame.parent_offset + 8 && frame.parent_offset == frame.ret_offset + 8);
	check_room(&spec, code);
	wrong = trampoline_case_run(c, start, 0);
	if (wrong)
		fprintf(stderr, "%s: %s\n", c->name, wrong);
	check(!wrong);
	steps = 0;
	wrong = trampoline_case_run(c, start, TF);
	check(!wrong);
	printf("%s: %d bytes, %u instructions\n", c->name, size, steps);
	/* Each instruction of the code is run once: the bytes between two steps are one. */
	check(!c->nr_calls || steps >= 20 + 5 * (c->nr_calls - 1));
	if (c->call_flags)
		leave_out(c);
}

int main(void)
{
	struct sigaction action = { .sa_sigaction = stepped, .sa_flags = SA_SIGINFO };
	u8 *code = mmap(NULL, ROOM, PROT_READ | PROT_WRITE | PROT_EXEC,
			MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT, -1, 0);

	if (code == MAP_FAILED || sigaction(SIGTRAP, &action, NULL))
		return 1;
	for (unsigned int i = 0; i < nr_trampoline_cases; i++)
		run_case(&trampoline_cases[i], code);
	printf("SUMMARY: %u tests, %u failures, 0 skipped\n", checks, failures);
	return failures || !checks;
}

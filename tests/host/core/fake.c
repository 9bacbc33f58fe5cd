// SPDX-License-Identifier: MIT
/* The pretended world of core's host tests. */
#include "fake.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arch/arch.h"
#include "base/errno.h"
#include "base/host.h"
#include "base/kallsyms.h"
#include "base/print.h"
#include "patch/code_pool.h"
#include "patch/site.h"
#include "patch/static_key.h"
#include "patch/text_poke.h"

__thread unsigned int fake_cpu;
__thread struct trace_state fake_trace_state;
__thread unsigned long fake_irqs_off;

int fake_fail_after = -1;
unsigned int fake_steps;
bool fake_failed;
unsigned int fake_objects, fake_blocks, fake_batches, fake_pokes, fake_code_rounds, fake_published;
size_t fake_bytes;
unsigned long fake_own_code;
bool fake_own_code_is_far;
bool fake_pool_full;
bool fake_sleep_allowed = true, fake_watching = true, fake_smp;

/* ---- checks and messages -------------------------------------------------- */

static unsigned int nr_checks, nr_failures;

void check_at(const char *file, int line, bool cond, const char *what)
{
	nr_checks++;
	if (cond)
		return;
	nr_failures++;
	fprintf(stderr, "FAIL: %s:%d: %s\n", file, line, what);
	if (nr_failures > 20)
		exit(1);
}

int check_summary(void)
{
	printf("SUMMARY: %u tests, %u failures, 0 skipped\n", nr_checks, nr_failures);
	return nr_failures || !nr_checks;
}

static char messages[4096];

void host_write(const char *text, size_t n)
{
	size_t at = strlen(messages);

	if (at + n < sizeof(messages)) {
		memcpy(messages + at, text, n);
		messages[at + n] = 0;
	}
}

bool fake_printed(const char *text)
{
	bool found = strstr(messages, text);

	messages[0] = 0;
	return found;
}

__noreturn void host_panic(const struct pt_regs *regs, const char *message)
{
	fprintf(stderr, "PANIC: %s\n%s", message, messages);
	abort();
}

/* ---- steps that may fail --------------------------------------------------- */

static bool fails_now(void)
{
	fake_steps++;
	if (fake_fail_after < 0 || fake_fail_after-- > 0)
		return false;
	fake_failed = true;
	return true;
}

void *host_alloc(size_t bytes)
{
	size_t aligned = ALIGN_UP(bytes, PAGE_SIZE);
	void *p;

	if (fails_now())
		return NULL;
	fake_bytes += bytes;
	p = bytes < PAGE_SIZE ? calloc(1, bytes) : aligned_alloc(PAGE_SIZE, aligned);
	if (p && bytes >= PAGE_SIZE)
		memset(p, 0, aligned);
	fake_objects += !!p;
	return p;
}

void host_free(void *p)
{
	fake_objects -= !!p;
	free(p);
}

/* ---- symbols and sites ------------------------------------------------------ */

static char (*names)[64];
static unsigned int nr_functions;
static struct dyn_ftrace *records;
static unsigned long *targets;
static unsigned int nr_records;

void fake_sites(unsigned int nr, const char *const *given)
{
	unsigned int i;

	nr_functions = nr_records = nr;
	names = calloc(nr, sizeof(*names));
	records = calloc(nr, sizeof(*records));
	targets = calloc(nr, sizeof(*targets));
	for (i = 0; i < nr; i++) {
		if (given && given[i])
			snprintf(names[i], sizeof(names[i]), "%s", given[i]);
		else
			snprintf(names[i], sizeof(names[i]), "f%u", i);
		records[i].ip = fake_ip(i);
	}
}

void fake_remove_record(unsigned int function)
{
	struct dyn_ftrace *rec = site_find(fake_ip(function));
	unsigned int at = rec - records;

	nr_records--;
	memmove(rec, rec + 1, (nr_records - at) * sizeof(*rec));
}

unsigned long fake_ip(unsigned int function)
{
	return FAKE_TEXT + function * FAKE_SITE_BYTES;
}

/* An address outside of the pretended text: code of the test's, where the linker has it. */
static bool look_up_own_code(unsigned long addr, struct kallsym *sym)
{
	if (addr != fake_own_code && addr != (unsigned long)arch_leaf_return)
		return false;
	*sym = (struct kallsym) { addr, 16, "own code" };
	return true;
}

void arch_leaf_return(void)
{
	abort();
}

bool kallsyms_lookup(unsigned long addr, struct kallsym *sym)
{
	unsigned long i = (addr - FAKE_TEXT) / FAKE_SITE_BYTES;

	if (look_up_own_code(addr, sym))
		return true;

	if (addr < FAKE_TEXT || i >= nr_functions)
		return false;
	*sym = (struct kallsym) { fake_ip(i), FAKE_SITE_BYTES, names[i] };
	return true;
}

unsigned long kallsyms_address(const char *name)
{
	unsigned int i;

	if (sscanf(name, "alias%u", &i) == 1 && i < nr_functions)
		return fake_ip(i);
	for (i = 0; i < nr_functions; i++) {
		if (!strcmp(names[i], name))
			return fake_ip(i);
	}
	return 0;
}

int kallsyms_format(char *buf, size_t size, unsigned long addr)
{
	return format(buf, size, "0x%lx", addr);
}

unsigned int nr_sites(void)
{
	return nr_records;
}

struct dyn_ftrace *site_at(unsigned int index)
{
	return &records[index];
}

struct dyn_ftrace *site_find(unsigned long ip)
{
	unsigned int low = 0, high = nr_records, middle;

	while (low < high) {
		middle = (low + high) / 2;
		if (records[middle].ip == ip)
			return &records[middle];
		if (records[middle].ip < ip)
			low = middle + 1;
		else
			high = middle;
	}
	return NULL;
}

struct dyn_ftrace *site_of_function(unsigned long addr)
{
	struct kallsym sym;

	return kallsyms_lookup(addr, &sym) && sym.addr == addr ? site_find(addr) : NULL;
}

static unsigned long *target_of(const struct dyn_ftrace *rec)
{
	return &targets[(rec->ip - FAKE_TEXT) / FAKE_SITE_BYTES];
}

unsigned long site_target(const struct dyn_ftrace *rec)
{
	return *target_of(rec);
}

/* ---- patching ----------------------------------------------------------------- */

static struct { void *at; u8 new[sizeof(unsigned long)]; size_t size; } *queue;
static unsigned int nr_queued;
static const unsigned long *last_site;
static bool is_open;

void (*fake_in_patch)(void);

int text_poke_begin(void)
{
	if (fails_now())
		return -EBUSY;
	if (fake_in_patch)
		fake_in_patch();
	check(!is_open);
	is_open = true;
	nr_queued = 0;
	last_site = NULL;
	return 0;
}

static int add_to_queue(void *at, const void *new, size_t size)
{
	check(is_open);
	if (fails_now())
		return -ENOMEM;
	if (!(nr_queued & (nr_queued - 1)))
		queue = realloc(queue, (2 * nr_queued + 1) * sizeof(*queue));
	queue[nr_queued].at = at;
	queue[nr_queued].size = size;
	memcpy(queue[nr_queued++].new, new, size);
	return 0;
}

int site_queue(struct dyn_ftrace *rec, unsigned long target)
{
	check(!(rec->flags & FTRACE_FL_UNREACHABLE));
	check(*target_of(rec) != target);
	check(last_site < target_of(rec));
	last_site = target_of(rec);
	return add_to_queue(target_of(rec), &target, sizeof(target));
}

int text_poke_queue(unsigned long addr, const u8 *old, const u8 *new, unsigned int len)
{
	check(len <= sizeof(queue->new) && !memcmp((void *)addr, old, len));
	return add_to_queue((void *)addr, new, len);
}

int text_poke_commit(void)
{
	unsigned int i;

	check(is_open);
	is_open = false;
	if (fails_now())
		return -EINVAL;
	for (i = 0; i < nr_queued; i++)
		memcpy(queue[i].at, queue[i].new, queue[i].size);
	fake_batches++;
	fake_pokes += nr_queued;
	return 0;
}

void text_poke_abort(void)
{
	check(is_open);
	is_open = false;
}

bool text_poke_trap(struct pt_regs *regs)
{
	return false;
}

bool fake_unsettled;

bool text_poke_unsettled(void)
{
	return fake_unsettled;
}

void text_poke_settle(void)
{
	check(fake_unsettled && !is_open);
	fake_unsettled = false;
}

/* ---- the code pool --------------------------------------------------------------- */

#define FLAG_WRITTEN	(1u << 30)
#define FLAG_PUBLISHED	(1u << 31)

static struct code_block *blocks;

struct code_block *code_pool_alloc(size_t size, const char *name)
{
	struct code_block *block;

	if (fake_pool_full || fails_now())
		return NULL;
	block = calloc(1, sizeof(*block));
	block->start = (unsigned long)calloc(1, size);
	block->size = size;
	block->name = name;
	block->next = blocks;
	blocks = block;
	fake_blocks++;
	return block;
}

void code_pool_write(struct code_block *block, const u8 *code, size_t size)
{
	check(size <= block->size);
	check(!(block->flags & FLAG_PUBLISHED));
	memcpy((void *)block->start, code, size);
	block->flags |= FLAG_WRITTEN;
}

void code_pool_publish(void)
{
	struct code_block *block;

	fake_code_rounds++;
	for (block = blocks; block; block = block->next) {
		if (block->flags & FLAG_WRITTEN && !(block->flags & FLAG_PUBLISHED)) {
			block->flags |= FLAG_PUBLISHED;
			fake_published++;
		}
	}
}

void code_pool_free(struct code_block *block)
{
	struct code_block **p = &blocks;
	unsigned int i;

	for (i = 0; i < nr_functions; i++)
		check(targets[i] != block->start);
	while (*p != block)
		p = &(*p)->next;
	*p = block->next;
	free((void *)block->start);
	free(block);
	fake_blocks--;
}

const struct code_block *code_pool_find(unsigned long addr)
{
	struct code_block *block;

	for (block = blocks; block; block = block->next) {
		if (addr >= block->start && addr < block->start + block->size)
			return block;
	}
	return NULL;
}

bool code_pool_covers(unsigned long addr)
{
	return code_pool_find(addr);
}

bool arch_site_reaches(unsigned long ip, unsigned long target)
{
	return target != fake_own_code || !fake_own_code_is_far;
}

void arch_leaf_call(unsigned long leaf, unsigned long parent)
{
	((void (*)(void))leaf)();
}

void arch_trampoline_mend(struct pt_regs *regs)
{
}

void code_pool_init(void)
{
}

int static_keys_init(void)
{
	return 0;
}

int text_poke_init(void)
{
	return 0;
}

int sites_init(const unsigned long *start, const unsigned long *end)
{
	return 0;
}

/* ---- trampolines ------------------------------------------------------------------- */

struct fake_code {
	unsigned int nr, flags;
	unsigned long direct, left_out;
	struct trampoline_call calls[];
};

unsigned long fake_counters[2][8];
unsigned int fake_nr_counters = 8;

int arch_trampoline_generate(const struct trampoline_spec *spec, unsigned long at,
			     u8 *code, size_t room, struct trampoline_frame *frame)
{
	struct fake_code *fake = (struct fake_code *)code;
	size_t size = sizeof(*fake) + spec->nr_calls * sizeof(fake->calls[0]);

	if (fails_now())
		return -ERANGE;
	if (size > room)
		return -ENOSPC;
	fake->nr = spec->nr_calls;
	fake->flags = spec->flags;
	fake->direct = spec->direct;
	fake->left_out = spec->left_out;
	memcpy(fake->calls, spec->calls, spec->nr_calls * sizeof(fake->calls[0]));
	return size;
}

static void leave_out(const struct fake_code *code, unsigned long count)
{
	((void (*)(unsigned long *))code->left_out)((unsigned long *)count);
}

static void call_op(const struct fake_code *code, const struct trampoline_call *call,
		    unsigned long ip, struct ftrace_regs *fregs)
{
	unsigned char *guard = (unsigned char *)&fake_trace_state.recursion;

	if (call->flags & TRAMPOLINE_CALL_WATCHING && !fake_watching) {
		leave_out(code, call->not_watching);
		return;
	}
	if (call->flags & TRAMPOLINE_CALL_GUARD && *guard) {
		leave_out(code, call->recursed);
		return;
	}
	*guard |= !!(call->flags & TRAMPOLINE_CALL_GUARD);
	((ftrace_func_t)call->func)(ip, 1, (struct ftrace_ops *)call->arg, fregs);
	if (call->flags & TRAMPOLINE_CALL_GUARD)
		*guard = 0;
}

static void call_any(const struct fake_code *code, const struct trampoline_call *call,
		     unsigned long ip, struct ftrace_regs *fregs)
{
	if (call->flags & TRAMPOLINE_CALL_COUNT)
		fake_counters[fake_cpu][call->arg]++;
	else if (call->flags & TRAMPOLINE_CALL_LEAF)
		((void (*)(void))call->func)();
	else
		call_op(code, call, ip, fregs);
}

bool fake_call(unsigned int function)
{
	const struct code_block *block = code_pool_find(targets[function]);
	const struct fake_code *code = (const struct fake_code *)targets[function];
	struct ftrace_regs fregs;
	unsigned int i;

	if (!code)
		return false;
	if (!block) {	/* an op's own code */
		((void (*)(void))targets[function])();
		return true;
	}
	check((block->flags & FLAG_PUBLISHED) && (block->flags & CODE_TRAMPOLINE));
	fregs.full = code->flags & TRAMPOLINE_SAVE_REGS;
	for (i = 0; i < code->nr; i++)
		call_any(code, &code->calls[i], fake_ip(function), &fregs);
	if (code->direct)
		((void (*)(void))code->direct)();
	return true;
}

/* ---- the unwinder: nobody is in a callback -------------------------------------------- */

void arch_unwind_here(struct unwind_frame *frame)
{
}

void arch_unwind_regs(struct unwind_frame *frame, const struct pt_regs *regs)
{
}

/* r[3] is the link register. */
unsigned int arch_return_registers(const struct pt_regs *regs, unsigned long *addr)
{
	addr[0] = regs->r[3];
	return 1;
}

bool arch_unwind_step(struct unwind_frame *frame)
{
	return false;
}

bool arch_unwind_trampoline(struct unwind_frame *frame, const struct trampoline_frame *desc,
			    unsigned int offset, unsigned long *parent)
{
	return false;
}

const struct pt_regs *arch_unwind_entry_regs(const struct unwind_frame *frame)
{
	return NULL;
}

/* ---- the rest of the host --------------------------------------------------------------- */

unsigned long host_code_pool(size_t *size_bytes)
{
	*size_bytes = 1 << 20;
	return 0x100000;
}

bool host_may_sleep(void)
{
	return fake_sleep_allowed;
}

bool host_is_watching(void)
{
	return fake_watching;
}

bool host_smp_started(void)
{
	return fake_smp;
}

void host_mutex_lock(struct host_mutex *m)
{
	check(!m->owner);
	m->owner = m;
}

void host_mutex_unlock(struct host_mutex *m)
{
	check(m->owner == m);
	m->owner = NULL;
}

bool host_mutex_is_mine(const struct host_mutex *m)
{
	return m->owner;
}

unsigned int host_nr_cpus(void)
{
	return ARRAY_SIZE(fake_counters);
}

struct host_counters host_counters(void)
{
	return (struct host_counters){
		.first = (unsigned long)fake_counters,
		.stride = sizeof(fake_counters[0]),
		.nr = fake_nr_counters,
	};
}

u64 host_clock(void)
{
	static u64 ticks;

	return ticks++;
}

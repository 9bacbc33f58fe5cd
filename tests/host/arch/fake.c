// SPDX-License-Identifier: MIT
/* The recording ISA and its host. */
#include "fake.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/atomic.h"
#include "base/errno.h"
#include "base/kallsyms.h"
#include "base/print.h"

#define MAX_FAKE_CPUS	8

/* As the linker script lays it out: text, then the code pool, both on pages of their own. */
__asm__(".bss\n"
	".globl fake_text, __text_start, __code_pool_start, __code_pool_end, __text_end\n"
	".balign 4096\n"
	"__text_start:\n"
	"fake_text: .skip 131072\n"
	"__code_pool_start: .skip 16384\n"
	"__code_pool_end:\n"
	"__text_end:\n"
	".text\n");
extern u8 __code_pool_start[], __text_end[];

struct fake_event fake_events[FAKE_EVENTS];
unsigned int fake_nr_events;
char fake_console[65536];
unsigned int fake_cpus;
bool fake_smp_started, fake_may_sleep, fake_two_words, fake_swappable;
int fake_fail_after;
unsigned int fake_allocations;
unsigned long fake_unreachable;
void (*fake_before_round)(enum host_round kind);
void (*fake_before_look)(void);
const struct text_poke_batch *fake_published[FAKE_PUBLISHED];
unsigned int fake_nr_published;

static __thread unsigned int this_cpu;
static __thread bool irqs_off;
static __thread unsigned int nr_open;
static unsigned int writers;		/* CPUs that have text open */
static unsigned int dirty;		/* writes whose upkeep is not complete */
static bool in_round;			/* CPUs may be parked: no memory, no locks */

/* ---- checks ---- */

/* Tables that are made again by each case are not leaks. */
const char *__asan_default_options(void);

const char *__asan_default_options(void)
{
	return "detect_leaks=0";
}

static unsigned int nr_checks, nr_failures;

void check_at(const char *file, int line, bool cond, const char *what)
{
	atomic_inc(&nr_checks);
	if (cond)
		return;
	fprintf(stderr, "FAIL: %s:%d: %s\n", file, line, what);
	if (atomic_fetch_add(&nr_failures, 1u) > 20)
		exit(1);
}

unsigned int check_failures(void)
{
	return nr_failures;
}

int check_summary(void)
{
	printf("SUMMARY: %u tests, %u failures, 0 skipped\n", nr_checks, nr_failures);
	return nr_failures || !nr_checks;
}

/* ---- the log ---- */

static void note(enum fake_event_kind kind, unsigned long addr, const u8 *bytes, unsigned int len)
{
	unsigned int i = atomic_fetch_add(&fake_nr_events, 1u);
	struct fake_event *event = &fake_events[i];

	if (i >= FAKE_EVENTS)
		abort();
	*event = (struct fake_event){ .kind = kind, .addr = addr, .len = len };
	if (bytes)
		memcpy(event->bytes, bytes, len);
}

const char *fake_summary(void)
{
	static char text[256];
	unsigned int n = 0;

	for (unsigned int i = 0; i < fake_nr_events && n < sizeof(text) - 1; i++) {
		char letter = fake_events[i].kind == FAKE_WRITE ? 'w' :
			      fake_events[i].kind == FAKE_TOUCH ? 't' :
			      fake_events[i].kind == FAKE_ROUND ? 'R' : 0;

		if (letter && (n == 0 || letter == 'R' || text[n - 1] != letter))
			text[n++] = letter;
	}
	text[n] = 0;
	return text;
}

unsigned int fake_count(enum fake_event_kind kind)
{
	unsigned int n = 0;

	for (unsigned int i = 0; i < fake_nr_events; i++)
		n += fake_events[i].kind == kind;
	return n;
}

/* ---- symbols ---- */

static struct kallsym symbols[32768];
static unsigned int nr_symbols;

const u8 fake_compiled_site[2 * ARCH_INSN_BYTES] = { 'N', 0, 0, 0, 0, 'N', 0, 0, 0, 0 };

static void protect(int prot)
{
	if (mprotect(fake_text, __text_end - fake_text, prot))
		abort();
}

unsigned long fake_function(unsigned long offset, const char *name, size_t size,
			    const void *code, size_t code_bytes)
{
	unsigned long addr = (unsigned long)fake_text + offset;

	if (nr_symbols == ARRAY_SIZE(symbols) || offset + code_bytes > FAKE_TEXT_BYTES)
		abort();
	symbols[nr_symbols++] = (struct kallsym){ .addr = addr, .size = size, .name = name };
	protect(PROT_READ | PROT_WRITE);
	memcpy((void *)addr, code, code_bytes);
	protect(PROT_READ);
	return addr;
}

bool kallsyms_lookup(unsigned long addr, struct kallsym *sym)
{
	for (unsigned int i = 0; i < nr_symbols; i++) {
		if (addr - symbols[i].addr < symbols[i].size) {
			*sym = symbols[i];
			return true;
		}
	}
	return false;
}

int kallsyms_format(char *buf, size_t size, unsigned long addr)
{
	struct kallsym sym;

	if (!kallsyms_lookup(addr, &sym))
		return format(buf, size, "0x%lx", addr);
	return format(buf, size, "%s+0x%lx/0x%lx", sym.name, addr - sym.addr, sym.size);
}

void fake_corrupt(unsigned long addr, u8 value)
{
	protect(PROT_READ | PROT_WRITE);
	*(u8 *)addr = value;
	protect(PROT_READ);
}

/* ---- the host ---- */

unsigned int host_cpu_id(void)
{
	return this_cpu;
}

struct trace_state *host_trace_state(void)
{
	static __thread struct trace_state state;

	return &state;
}

unsigned long host_irq_save(void)
{
	bool was_off = irqs_off;

	irqs_off = true;
	return was_off;
}

void host_irq_restore(unsigned long flags)
{
	irqs_off = flags;
}

unsigned int host_nr_cpus(void)
{
	return MAX_FAKE_CPUS;
}

unsigned int host_nr_online(void)
{
	return fake_cpus;
}

bool host_smp_started(void)
{
	return fake_smp_started;
}

bool host_may_sleep(void)
{
	return fake_may_sleep && !irqs_off;
}

struct call {
	void (*fn)(void *arg);
	void *arg;
	unsigned int cpu;
};

static void *run_on_cpu(void *p)
{
	struct call *call = p;

	this_cpu = call->cpu;
	irqs_off = true;
	call->fn(call->arg);
	irqs_off = false;
	return NULL;
}

/* All CPUs at once, each a thread; the caller is CPU 0. */
void host_on_each_cpu(void (*fn)(void *arg), void *arg, enum host_round kind)
{
	pthread_t threads[MAX_FAKE_CPUS];
	struct call calls[MAX_FAKE_CPUS];

	check(fake_smp_started && !irqs_off && nr_open == 0);
	if (fake_before_round)
		fake_before_round(kind);
	note(FAKE_ROUND, kind, NULL, 0);
	in_round = true;
	for (unsigned int cpu = 0; cpu < fake_cpus; cpu++)
		calls[cpu] = (struct call){ fn, arg, cpu };
	for (unsigned int cpu = 1; cpu < fake_cpus; cpu++)
		if (pthread_create(&threads[cpu], NULL, run_on_cpu, &calls[cpu]))
			abort();
	run_on_cpu(&calls[0]);
	for (unsigned int cpu = 1; cpu < fake_cpus; cpu++)
		pthread_join(threads[cpu], NULL);
	in_round = false;
}

void host_mutex_lock(struct host_mutex *m)
{
	check(host_may_sleep() && !m->owner && !in_round);
	m->owner = m;
}

void host_mutex_unlock(struct host_mutex *m)
{
	check(m->owner == m && !in_round);
	m->owner = NULL;
}

bool host_mutex_is_mine(const struct host_mutex *m)
{
	return m->owner == m;
}

void *host_alloc(size_t bytes)
{
	check(nr_open == 0 && !in_round);
	fake_allocations++;
	if (fake_fail_after == 0)
		return NULL;
	if (fake_fail_after > 0)
		fake_fail_after--;
	return calloc(1, bytes);
}

void host_free(void *p)
{
	check(!in_round);
	free(p);
}

/* One alias at a time; open within open is an NMI's. */
unsigned long host_text_open(void)
{
	check(irqs_off);
	note(FAKE_OPEN, 0, NULL, 0);
	if (nr_open++ == 0) {
		check(atomic_fetch_add(&writers, 1u) == 0);
		protect(PROT_READ | PROT_WRITE);
	}
	return nr_open - 1;
}

void host_text_close(unsigned long cookie)
{
	check(irqs_off && cookie == nr_open - 1);
	note(FAKE_CLOSE, 0, NULL, 0);
	if (--nr_open == 0) {
		check(dirty == 0);
		protect(PROT_READ);
		atomic_fetch_sub(&writers, 1u);
	}
}

void *host_text_alias(unsigned long addr)
{
	check(nr_open > 0 && addr >= (unsigned long)fake_text && addr < (unsigned long)__text_end);
	return (void *)addr;
}

unsigned long host_code_pool(size_t *size_bytes)
{
	*size_bytes = FAKE_POOL_BYTES;
	return (unsigned long)__code_pool_start;
}

u64 host_clock(void)
{
	static u64 ticks;

	return ++ticks;
}

void host_write(const char *text, size_t n)
{
	size_t at = strlen(fake_console);

	if (at + n < sizeof(fake_console)) {
		memcpy(fake_console + at, text, n);
		fake_console[at + n] = 0;
	}
}

unsigned int fake_said(const char *words)
{
	unsigned int n = 0;

	for (const char *at = fake_console; (at = strstr(at, words)); at++)
		n++;
	return n;
}

__noreturn void host_panic(const struct pt_regs *regs, const char *message)
{
	fprintf(stderr, "FAIL: panic: %s\n%s", message, fake_console);
	exit(1);
}

void fake_reset(void)
{
	protect(PROT_READ | PROT_WRITE);
	memset(fake_text, 'B', __text_end - fake_text);
	protect(PROT_READ);
	nr_symbols = 0;
	fake_nr_events = 0;
	fake_console[0] = 0;
	fake_cpus = 1;
	fake_smp_started = false;
	fake_may_sleep = true;
	fake_two_words = false;
	fake_swappable = false;
	fake_fail_after = -1;
	fake_unreachable = 0;
	fake_before_round = NULL;
	fake_before_look = NULL;
	fake_nr_published = 0;
}

/* ---- in the way of patch/ (tests/host/host.mk) ---- */

void __real_text_poke_publish(const struct text_poke_batch *batch);
void __wrap_text_poke_publish(const struct text_poke_batch *batch);

void __wrap_text_poke_publish(const struct text_poke_batch *batch)
{
	if (fake_nr_published == FAKE_PUBLISHED)
		abort();
	fake_published[fake_nr_published++] = batch;
	__real_text_poke_publish(batch);
}

/* ---- instructions ---- */

void arch_insn_nop(u8 *insn)
{
	memcpy(insn, fake_compiled_site, ARCH_INSN_BYTES);
}

void arch_insn_breakpoint(u8 *insn)
{
	void (*look)(void) = fake_before_look;

	fake_before_look = NULL;
	if (look)
		look();
	insn[0] = 'B';
}

static int encode(u8 *insn, u8 opcode, unsigned long from, unsigned long to)
{
	s32 rel = to - from;

	insn[0] = opcode;
	memcpy(insn + 1, &rel, sizeof(rel));
	return 0;
}

int arch_insn_call(u8 *insn, unsigned long from, unsigned long to)
{
	return encode(insn, 'C', from, to);
}

int arch_insn_jump(u8 *insn, unsigned long from, unsigned long to)
{
	return encode(insn, 'J', from, to);
}

unsigned long arch_insn_target(const u8 *insn, unsigned long from)
{
	s32 rel;

	if (insn[0] != 'C' && insn[0] != 'J')
		return 0;
	memcpy(&rel, insn + 1, sizeof(rel));
	return from + (long)rel;
}

bool arch_insn_swappable(const u8 *insn)
{
	return fake_swappable && insn[0] != 'Q';
}

/* ---- sites: at the entry, or behind a pad of 'E' and three more bytes ---- */

const char arch_site_flavour[] = "fake";

int arch_site_check(unsigned long ip, const struct kallsym *sym)
{
	unsigned long entry = sym->addr + (*(const u8 *)sym->addr == 'E' ? 4 : 0);

	if (ip != entry)
		return -EINVAL;
	if (*(const u8 *)ip == 'X')
		return -EOPNOTSUPP;
	return memcmp((const void *)ip, fake_compiled_site, ARCH_INSN_BYTES) ? -EINVAL : 0;
}

int arch_site_init(unsigned long ip)
{
	u8 skip[ARCH_INSN_BYTES] = { 'J', 2 * ARCH_INSN_BYTES };
	u8 stub[ARCH_INSN_BYTES];

	if (ip == fake_unreachable)
		return -ERANGE;
	if (!fake_two_words)
		return 0;
	encode(stub, 'C', ip + ARCH_INSN_BYTES, (unsigned long)fake_text);
	arch_text_write(ip, skip, sizeof(skip));
	arch_text_write(ip + ARCH_INSN_BYTES, stub, sizeof(stub));
	return 2 * ARCH_INSN_BYTES;
}

bool arch_site_reaches(unsigned long ip, unsigned long target)
{
	return !target || (target != FAKE_OUT_OF_REACH && ip != fake_unreachable);
}

static void call_poke(struct text_poke *poke, unsigned long at, unsigned long old, unsigned long new)
{
	*poke = (struct text_poke){ .addr = at, .len = ARCH_INSN_BYTES };
	arch_insn_nop(poke->old);
	arch_insn_nop(poke->new);
	if (old)
		encode(poke->old, 'C', at, old);
	if (new)
		encode(poke->new, 'C', at, new);
}

/* Off: a jump over the second word, which calls a stub. */
static void two_pokes(unsigned long ip, unsigned long old, unsigned long new, struct text_poke *pokes)
{
	unsigned long stub = (unsigned long)fake_text;
	u8 skip[ARCH_INSN_BYTES] = { 'J', 2 * ARCH_INSN_BYTES };

	call_poke(pokes, ip, 0, 0);
	if (!old)
		memcpy(pokes->old, skip, sizeof(skip));
	if (!new)
		memcpy(pokes->new, skip, sizeof(skip));
	call_poke(pokes + 1, ip + ARCH_INSN_BYTES, old ? old : stub, new ? new : stub);
}

unsigned int arch_site_pokes(unsigned long ip, unsigned long old_target,
			     unsigned long new_target, struct text_poke *pokes)
{
	if (fake_two_words)
		two_pokes(ip, old_target, new_target, pokes);
	else
		call_poke(pokes, ip, old_target, new_target);
	return 1 + fake_two_words;
}

const struct dyn_ftrace *arch_sites_verify(const struct site_span *span, const struct site_span *last,
					   const struct dyn_ftrace *table, const unsigned long *targets)
{
	struct text_poke pokes[ARCH_SITE_POKES];

	for (; span < last; span++) {
		for (const struct dyn_ftrace *rec = span->first; rec < span->end; rec++) {
			unsigned int n = arch_site_pokes(rec->ip, targets[rec - table], 0, pokes);

			while (n--)
				if (memcmp(host_text_alias(pokes[n].addr), pokes[n].old, ARCH_INSN_BYTES))
					return rec;
		}
	}
	return NULL;
}

/* What a site was does not matter for what is written. */
void arch_sites_write(const struct site_span *span, const struct site_span *last, enum text_part part)
{
	struct text_poke pokes[ARCH_SITE_POKES];

	for (; span < last; span++)
		for (const struct dyn_ftrace *rec = span->first; rec < span->end; rec++)
			arch_text_write_part(pokes, pokes + arch_site_pokes(rec->ip, 0, span->target, pokes), part);
}

/* ---- text ---- */

unsigned long text_cache_ops;

void arch_text_write(unsigned long addr, const u8 *bytes, unsigned int len)
{
	memcpy(host_text_alias(addr), bytes, len);
	dirty++;
	note(FAKE_WRITE, addr, bytes, len);
}

void arch_text_write_atomic(unsigned long addr, const u8 *bytes, unsigned int len)
{
	arch_text_write(addr, bytes, len);
}

void arch_text_write_part(const struct text_poke *poke, const struct text_poke *end,
			  enum text_part part)
{
	if (part != TEXT_PART_TOUCH)
		text_cache_ops += end - poke;
	for (; poke < end; poke++) {
		if (part == TEXT_PART_WHOLE)
			arch_text_write(poke->addr, poke->new, poke->len);
		else if (part == TEXT_PART_TOUCH)
			arch_text_touch(poke->addr);
		else if (part == TEXT_PART_HEAD)
			arch_text_write(poke->addr, poke->new, 1);
		else if (poke->len > 1 && part == TEXT_PART_BREAKPOINT)
			arch_text_write(poke->addr, (const u8 *)"B", 1);
		else if (poke->len > 1)
			arch_text_write(poke->addr + 1, poke->new + 1, poke->len - 1);
	}
}

void arch_text_flush(void)
{
	dirty = 0;
	note(FAKE_FLUSH, 0, NULL, 0);
}

void arch_text_sync(void)
{
	note(FAKE_SYNC, 0, NULL, 0);
}

void arch_text_touch(unsigned long addr)
{
	volatile u8 *alias = host_text_alias(addr);

	*alias = *alias;
	note(FAKE_TOUCH, addr, NULL, 0);
}

void arch_fill_traps(u8 *code, size_t len)
{
	memset(code, 'B', len);
}

/* ---- traps ---- */

unsigned long arch_trap_address(const struct pt_regs *regs)
{
	return regs->pc - ARCH_BREAKPOINT_BYTES;
}

bool arch_emulate(struct pt_regs *regs, unsigned long addr, const u8 *insn)
{
	unsigned long next = addr + ARCH_INSN_BYTES;

	if (insn[0] != 'N' && insn[0] != 'C' && insn[0] != 'J')
		return false;
	if (insn[0] == 'C')
		regs->link = next;
	regs->pc = insn[0] == 'N' ? next : arch_insn_target(insn, addr);
	return true;
}

struct host_place host_trace_state_place(void)
{
	return (struct host_place){ HOST_BASE_NONE, 0, false };
}

struct host_place host_watching_place(void)
{
	return (struct host_place){ HOST_BASE_NONE, 0, false };
}

struct host_counters host_counters(void)
{
	return (struct host_counters){ .nr = 0 };
}

void arch_trampoline_mend(struct pt_regs *regs)
{
}

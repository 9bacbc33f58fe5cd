// SPDX-License-Identifier: MIT
/*
 * Breakpoints that a batch left in text for a while, as the CPUs that run into
 * them see it.
 *
 * Two pointers say what is known: `live`, the batch being written, whose
 * breakpoints are emulated, and `retired`, the last one, whose breakpoints are
 * gone from memory; a CPU can meet one still when it runs from a stale copy
 * (an emulator's translation). A batch moves live -> retired -> forgotten, each
 * step ordered with the rounds, so a handler may use what it found until it
 * returns: interrupts are off in it, and the round after waits for it.
 */
#include "patch/method.h"

#include "base/atomic.h"
#include "base/bug.h"
#include "base/errno.h"
#include "base/host.h"
#include "base/sort.h"
#include "base/string.h"
#include "patch/site.h"

static const struct text_poke_batch *live, *retired;

/* By CPU. Until text_poke_init() there is only the first. */
struct trap_count {
	unsigned long emulated, late;
};

static struct trap_count first_count, *counts = &first_count;
static unsigned int nr_counts = 1;

int text_poke_init(void)
{
	struct trap_count *all = host_alloc(host_nr_cpus() * sizeof(*all));

	if (!all)
		return -ENOMEM;
	counts = all;
	nr_counts = host_nr_cpus();
	return 0;
}

/* Interrupts are off in a handler; an NMI may count in between, so it is one step. */
static struct trap_count *own_count(void)
{
	unsigned int cpu = host_cpu_id();

	BUG_ON(cpu >= nr_counts);
	return &counts[cpu];
}

void text_poke_cpu_traps(unsigned int cpu, unsigned long *emulated, unsigned long *late)
{
	*emulated = cpu < nr_counts ? atomic_read(&counts[cpu].emulated) : 0;
	*late = cpu < nr_counts ? atomic_read(&counts[cpu].late) : 0;
}

/* Release: pairs with the acquire in find_live(): who sees the pointer sees the array. */
void text_poke_publish(const struct text_poke_batch *batch)
{
	smp_store_release(&live, batch);
}

/*
 * First known as retired, then no longer live, so that it is always found: the
 * release pairs with the acquire in find_live(), behind which `retired` is read.
 */
void text_poke_retire(void)
{
	WRITE_ONCE(retired, live);
	smp_store_release(&live, (const struct text_poke_batch *)NULL);
}

/*
 * A handler that still uses the pointer had begun before the round that the
 * caller has just made, and has ended in it.
 */
void text_poke_forget(void)
{
	WRITE_ONCE(retired, NULL);
}

void text_poke_count_traps(unsigned long *emulated, unsigned long *late)
{
	*emulated = *late = 0;
	for (unsigned int cpu = 0; cpu < nr_counts; cpu++) {
		*emulated += atomic_read(&counts[cpu].emulated);
		*late += atomic_read(&counts[cpu].late);
	}
}

/* The change of a batch's site at exactly this address, into @found. */
static bool find_in_sites(const struct text_poke_batch *batch, unsigned long addr, struct text_poke *found)
{
	const struct dyn_ftrace *rec = site_before(addr);
	const struct site_span *span = rec ? text_poke_span_of(batch, rec) : NULL;
	struct text_poke pokes[ARCH_SITE_POKES];
	unsigned int n;

	if (!span)
		return false;
	n = arch_site_pokes(rec->ip, *site_targets(rec), span->target, pokes);
	while (n--) {
		*found = pokes[n];
		if (found->addr == addr)
			return true;
	}
	return false;
}

/* The change at exactly this address, into @found. */
static bool find(const struct text_poke_batch *batch, unsigned long addr, struct text_poke *found)
{
	const struct text_poke *poke;

	if (!batch)
		return false;
	poke = bsearch_le(batch->pokes, batch->nr_pokes, sizeof(*poke), addr);
	if (!poke || poke->addr != addr)
		return find_in_sites(batch, addr, found);
	*found = *poke;
	return true;
}

static const struct text_poke_batch *live_batch(void)
{
	return smp_load_acquire(&live);
}

static bool holds_breakpoint(unsigned long addr)
{
	u8 insn[ARCH_BREAKPOINT_BYTES];

	arch_insn_breakpoint(insn);
	return memcmp((const void *)addr, insn, sizeof(insn)) == 0;
}

/* Memory has the right byte, this CPU ran an old one: write it again, which drops the copy. */
static void heal(struct pt_regs *regs, unsigned long addr)
{
	unsigned long flags = host_irq_save();
	unsigned long cookie = host_text_open();

	arch_text_touch(addr);
	host_text_close(cookie);
	host_irq_restore(flags);
	regs_set_pc(regs, addr);
	atomic_inc(&own_count()->late);
}

static bool emulate(struct pt_regs *regs, const struct text_poke *poke)
{
	if (!arch_emulate(regs, poke->addr, poke->new))
		return false;
	atomic_inc(&own_count()->emulated);
	return true;
}

/*
 * A batch may go live, or retire, between two of these looks; then the answer
 * is in the other place, and looking again finds it. Only this CPU's handlers
 * could starve it, and each change of `live` takes a round that waits for us.
 */
bool text_poke_trap(struct pt_regs *regs)
{
	unsigned long addr = arch_trap_address(regs);
	const struct text_poke_batch *batch;
	struct text_poke poke;
	bool known;

	do {
		batch = live_batch();
		known = find(batch, addr, &poke);
		/* A shorter change is one store: there we put no breakpoint, but may have taken one away. */
		if (known && poke.len > ARCH_BREAKPOINT_BYTES && emulate(regs, &poke))
			return true;
		if (!known && !find(READ_ONCE(retired), addr, &poke) && !site_find(addr))
			return false;
		/* Nor one that no method would have put there: what cannot be emulated is written whole. */
		if (!holds_breakpoint(addr)) {
			heal(regs, addr);
			return true;
		}
	} while (batch != live_batch());
	return false;
}

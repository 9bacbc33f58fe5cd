// SPDX-License-Identifier: MIT
/* Counters of the runtime and of the kernel's IPI layer, and how rows of the patch benchmark are told. */
#include "bench/patch_report.h"

#include "base/host.h"
#include "base/print.h"
#include "bench/measure.h"
#include "bench/result.h"
#include "core/quiesce.h"
#include "kernel/percpu.h"
#include "kernel/smp.h"
#include "patch/code_pool.h"
#include "patch/text_poke.h"

static unsigned long patch_ipis(const struct cpu *cpu)
{
	return cpu->call_rounds[HOST_ROUND_TEXT] + cpu->call_rounds[HOST_ROUND_CODE] +
	       cpu->call_rounds[HOST_ROUND_QUIESCE];
}

/* The bench runs on CPU 0, so CPU 1 is one of the others. */
struct patch_counters patch_counters(void)
{
	struct text_poke_stats text;
	struct code_pool_stats pool;
	struct quiesce_stats quiet;

	text_poke_stats(&text, NULL);
	code_pool_stats(&pool);
	quiesce_stats(&quiet);
	return (struct patch_counters){
		.rounds = text.rounds,
		.rounds_code = pool.rounds,
		.rounds_quiesce = quiet.rounds,
		.ipis = patch_ipis(&cpus[1]),
		.traps = text.traps,
		.late_traps = text.late_traps,
		.crossing = text.crossing,
		.cache_ops = text.cache_ops,
		.ticks = text.ticks,
	};
}

struct patch_counters patch_counters_since(const struct patch_counters *start)
{
	struct patch_counters now = patch_counters();

#define SINCE(counter)	.counter = now.counter - start->counter
	return (struct patch_counters){
		SINCE(rounds),
		SINCE(rounds_code),
		SINCE(rounds_quiesce),
		SINCE(ipis),
		SINCE(traps),
		SINCE(late_traps),
		SINCE(crossing),
		SINCE(cache_ops),
		SINCE(ticks),
	};
#undef SINCE
}

void patch_put(const struct patch_row *row, const char *op, const char *metric,
	       const char *unit, u64 hundredth_parts)
{
	const struct figure figure = { hundredth_parts, hundredth_parts, hundredth_parts, 1 };
	struct result_param params[10] = {
		{ "op", op, 0 },
		{ "nr_sites", NULL, row->nr_sites },
		{ "method", row->method->name, 0 },
		{ "batch", row->limit ? NULL : "unlimited", row->limit },
		{ "load", row->busy ? "busy" : "idle", 0 },
		{ "crossing", NULL, row->crossing },
		{ "spread", NULL, row->spread },
		{ "touch", NULL, text_poke_touching() },
	};

	if (row->method->completion >= 0)
		params[8] = (struct result_param){ "completion", NULL, (unsigned long)row->method->completion };
	result_print("patch", params, metric, unit, &figure);
}

void patch_print_row(const struct patch_row *row)
{
	pr_info("patch: %s", row->method->name);
	if (row->method->completion >= 0)
		pr_info(" (completion=%d)", row->method->completion);
	pr_info(", %u sites (%u crossing)", row->nr_sites, row->crossing);
	if (row->spread > 1)
		pr_info(", every %u. function", row->spread);
	if (row->limit)
		pr_info(", poke_batch=%u", row->limit);
	pr_info(", touch=%d, other CPUs %s\n", text_poke_touching(), row->busy ? "busy" : "idle");
}

void patch_print_calls(const char *state)
{
	const struct cpu *cpu;

	pr_info("  CAL:");
	for_each_online_cpu(cpu)
		pr_info(" %10lu", patch_ipis(cpu));
	pr_info("   %s\n", state);
}

/* What the other CPUs were kept by since it was last printed: traps they ran into, their longest IPI. */
static void print_disturbance(void)
{
	static unsigned long seen_traps[MAX_CPUS];
	unsigned long traps, late;
	struct cpu *cpu;

	pr_info("  TRP:");
	for_each_online_cpu(cpu) {
		text_poke_cpu_traps(cpu->id, &traps, &late);
		pr_info(" %10lu", traps + late - seen_traps[cpu->id]);
		seen_traps[cpu->id] = traps + late;
	}
	pr_info("   traps\n  MAX:");
	for_each_online_cpu(cpu)
		pr_info(" %10llu", (unsigned long long)ticks_to_ns(smp_longest_call(cpu)));
	pr_info("   ns kept from its work by one IPI\n");
}

void patch_put_counters(const struct patch_row *row, const char *op, const struct patch_counters *c)
{
	patch_put(row, op, "rounds", "rounds", c->rounds * 100);
	patch_put(row, op, "rounds_code", "rounds", c->rounds_code * 100);
	patch_put(row, op, "rounds_quiesce", "rounds", c->rounds_quiesce * 100);
	patch_put(row, op, "ipis_per_cpu", "IPIs", c->ipis * 100);
	patch_put(row, op, "traps", "traps", c->traps * 100);
	patch_put(row, op, "late_traps", "traps", c->late_traps * 100);
	patch_put(row, op, "cache_ops", "operations", c->cache_ops * 100);
	patch_print_calls(op);
	print_disturbance();
	pr_info("       %lu rounds + %lu code + %lu quiesce, %lu traps, %lu late\n",
		c->rounds, c->rounds_code, c->rounds_quiesce, c->traps, c->late_traps);
	pr_info("       %lu crossed, %lu cache operations, %llu us in the batch\n", c->crossing, c->cache_ops,
		(unsigned long long)(ticks_to_ns(c->ticks) / 1000));
}

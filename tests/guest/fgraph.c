// SPDX-License-Identifier: MIT
/* The function graph, one thing at a time: pairs, users, values, depth, tail calls, ways out. */
#include "tests/test.h"
#include "tests/guest/fgraph_tracees.h"

#include <setjmp.h>

#include "base/errno.h"
#include "base/kallsyms.h"
#include "base/print.h"
#include "base/string.h"
#include "core/baretrace.h"
#include "core/dispatch.h"
#include "core/fgraph.h"
#include "kernel/cmdline.h"
#include "kernel/port.h"
#include "kernel/thread.h"
#include "patch/code_pool.h"
#include "patch/site.h"

#define MAX_EVENTS	160

/* What a user saw. */
struct seen {
	struct fgraph_ops graph;
	unsigned long entries, returns;
	unsigned long refuse;		/* answer 0 to this function */
	unsigned long watched, watched_entries, watched_returns; /* of one function alone */
	unsigned int nr;		/* events, the first MAX_EVENTS kept */
	struct event { unsigned long func; int depth; bool is_return; unsigned long value, high; } event[MAX_EVENTS];
};

#define REPORT_FAILURE(cond, ...) do { if (!(cond)) report(false, __VA_ARGS__); } while (0)

static struct seen seen[FGRAPH_MAX_USERS + 1];

static notrace void note(struct seen *s, const struct event *event)
{
	if (s->nr < MAX_EVENTS)
		s->event[s->nr] = *event;
	s->nr++;
}

static notrace int on_entry(struct ftrace_graph_ent *trace, struct fgraph_ops *gops, struct ftrace_regs *fregs)
{
	struct seen *s = container_of(gops, struct seen, graph);
	struct event event = { trace->func, trace->depth, false, ftrace_regs_get_argument(fregs, 0), 0 };

	s->entries++;
	s->watched_entries += trace->func == s->watched;
	note(s, &event);
	return trace->func != s->refuse;
}

static notrace void on_return(struct ftrace_graph_ret *trace, struct fgraph_ops *gops)
{
	struct seen *s = container_of(gops, struct seen, graph);
	struct event event = { trace->func, trace->depth, true, trace->retval, trace->retval_high };

	s->returns++;
	s->watched_returns += trace->func == s->watched;
	note(s, &event);
}

static unsigned long ip_of(const void *function)
{
	const struct dyn_ftrace *rec = site_of_function((unsigned long)function);

	return rec ? rec->ip : 0;
}

static struct seen *prepare(unsigned int i, const char *pattern)
{
	struct seen *s = &seen[i];

	ftrace_free_filter(&s->graph.ops);
	memset(s, 0, sizeof(*s));
	s->graph.entryfunc = on_entry;
	s->graph.retfunc = on_return;
	if (pattern && ftrace_set_filter(&s->graph.ops, pattern, true) < 0)
		report(false, "filter %s", pattern);
	return s;
}

static struct seen *start(unsigned int i, const char *pattern)
{
	struct seen *s = prepare(i, pattern);
	int err = register_ftrace_graph(&s->graph);

	if (err)
		report(false, "user %u of %s registers: %d", i, pattern, err);
	return s;
}

static void end(struct seen *s)
{
	int err = unregister_ftrace_graph(&s->graph);

	if (err)
		report(false, "unregister: %d", err);
}

static bool event_is(const struct seen *s, unsigned int i, const void *function, int depth, bool is_return,
		     unsigned long value)
{
	const struct event *e = &s->event[i];

	return i < s->nr && e->func == ip_of(function) && e->depth == depth &&
	       e->is_return == is_return && e->value == value;
}

/*
 * Users of everything leave frames in threads that are switched away just then, such as
 * a CPU's idle one. These return when they run again, and who registers next notices.
 */
static void wait_for_leavers(struct fgraph_stats *stats)
{
	for (unsigned int n = 0; n < 50; n++) {
		fgraph_stats(stats);
		if (!stats->leaving)
			return;
		thread_sleep_ms(20);
		end(start(FGRAPH_MAX_USERS, "fg_leaf"));
	}
}

/* Where nothing is hooked any more, no frame and no user is left. */
static void report_clean(void)
{
	struct fgraph_stats stats;

	wait_for_leavers(&stats);
	report(!stats.users && !stats.leaving, "%u users, %u leaving", stats.users, stats.leaving);
	report(arch_shadow_sp() == fgraph_bottom(arch_shadow_sp()), "no frame is left");
}

/* ---- pairs ------------------------------------------------------------------- */

static bool nested_events_right(const struct seen *s, unsigned int at, unsigned long x)
{
	return event_is(s, at, fg_a, 0, false, x) && event_is(s, at + 1, fg_b, 1, false, x) &&
	       event_is(s, at + 2, fg_c, 2, false, x) && event_is(s, at + 3, fg_c, 2, true, x + 1) &&
	       event_is(s, at + 4, fg_b, 1, true, x + 2) && event_is(s, at + 5, fg_a, 0, true, x + 3);
}

DEFINE_TEST(fgraph_pairs)
{
	struct seen *s = start(0, "fg_[abc]");
	bool right = true;

	for (unsigned long x = 0; x < 20; x++)
		right &= fg_a(x) == x + 3;
	report(right, "results");
	report(s->entries == 60 && s->returns == 60, "%lu entries, %lu returns", s->entries, s->returns);
	for (unsigned int i = 0; i < 20; i++)
		right &= nested_events_right(s, i * 6, i);
	report(right, "function, depth, argument, result, order");
	end(s);
	fg_a(1);
	report(s->entries == 60 && s->returns == 60, "and none after that");
	report_clean();
}

DEFINE_TEST(fgraph_partly)
{
	struct seen *s = prepare(0, "fg_[abc]");

	s->refuse = ip_of(fg_b);
	report(!register_ftrace_graph(&s->graph), "a user that refuses one function");
	report(fg_a(1) == 4 && s->entries == 3 && s->returns == 2, "%lu entries, %lu returns", s->entries, s->returns);
	report(event_is(s, 2, fg_c, 1, false, 1), "what is refused does not count in the depth");
	end(s);

	s = prepare(0, "fg_[abc]");
	s->graph.retfunc = NULL;
	report(!register_ftrace_graph(&s->graph), "a user without returns");
	report(fg_a(1) == 4 && s->entries == 3 && !s->returns, "%lu entries", s->entries);
	end(s);

	s = prepare(0, "fg_[abc]");
	s->graph.entryfunc = NULL;
	report(!register_ftrace_graph(&s->graph), "a user without entries");
	report(fg_a(1) == 4 && !s->entries && s->returns == 3, "%lu returns", s->returns);
	end(s);
	report_clean();
}

/* Users of the same calls who refuse different ones; nobody gets another's return. */
DEFINE_TEST(fgraph_partly_each)
{
	const void *refused[] = { fg_a, fg_b, fg_c };
	const unsigned int users = ARRAY_SIZE(refused);

	for (unsigned int i = 0; i < users; i++) {
		prepare(i, "fg_[abc]")->refuse = ip_of(refused[i]);
		report(!register_ftrace_graph(&seen[i].graph), "user %u refuses its function", i);
		seen[i].watched = ip_of(refused[i]);
	}
	report(fg_a(1) == 4, "result");
	for (unsigned int i = 0; i < users; i++)
		report(seen[i].entries == 3 && seen[i].returns == 2 && !seen[i].watched_returns,
		       "user %u: %lu entries, %lu returns, %lu of what it refused", i, seen[i].entries, seen[i].returns,
		       seen[i].watched_returns);
	for (unsigned int i = 0; i < users; i++)
		seen[i].refuse = ip_of(fg_b);
	report(fg_a(1) == 4, "result");
	for (unsigned int i = 0; i < users; i++)
		report(seen[i].entries == 6 && seen[i].returns == 4, "all refuse one: %lu entries, %lu returns",
		       seen[i].entries, seen[i].returns);
	for (unsigned int i = 0; i < users; i++)
		end(&seen[i]);
	report_clean();
}

DEFINE_TEST(fgraph_errors)
{
	struct fgraph_ops nothing = { 0 };
	struct seen *s = prepare(0, "fg_a");

	report(register_ftrace_graph(NULL) == -EINVAL, "no user");
	report(register_ftrace_graph(&nothing) == -EINVAL, "no handler");
	report(unregister_ftrace_graph(&s->graph) == -ENOENT, "not registered");
	report(!register_ftrace_graph(&s->graph) && register_ftrace_graph(&s->graph) == -EBUSY, "twice");
	end(s);
	report(unregister_ftrace_graph(&s->graph) == -ENOENT, "unregistered twice");
	for (unsigned int i = 0; i < FGRAPH_MAX_USERS; i++)
		start(i, "fg_a");
	s = prepare(FGRAPH_MAX_USERS, "fg_a");
	report(register_ftrace_graph(&s->graph) == -ENOSPC, "one too many");
	report(fg_a(0) == 3 && seen[FGRAPH_MAX_USERS - 1].returns == 1, "the last one that fits");
	for (unsigned int i = 0; i < FGRAPH_MAX_USERS; i++)
		end(&seen[i]);
	report_clean();
}

/* Flavours whose sites lie behind the place where the return address is kept. */
DEFINE_TEST(fgraph_unsupported)
{
	struct seen *s = prepare(0, "fg_a");

	report(!arch_fgraph_supported(), "flavour %s", arch_site_flavour);
	report(register_ftrace_graph(&s->graph) == -EOPNOTSUPP, "users are refused");
	report(fg_a(1) == 4 && !s->entries, "and nothing is hooked");
}

/* ---- several users, other ops --------------------------------------------------- */

struct plain {
	struct ftrace_ops op;
	unsigned long calls, wrong_parents;
};
static struct plain plain[2];

static notrace void on_call(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *op,
			    struct ftrace_regs *fregs)
{
	struct plain *p = container_of(op, struct plain, op);
	struct kallsym sym;

	p->calls++;
	p->wrong_parents += !kallsyms_lookup(parent_ip, &sym) || fgraph_is_planted(parent_ip) ||
			    ftrace_regs_get_return_address(fregs) != parent_ip;
}

static int start_plain(struct plain *p, unsigned int flags, const char *pattern)
{
	ftrace_free_filter(&p->op);
	*p = (struct plain){ .op.func = on_call, .op.flags = flags };
	return ftrace_set_filter(&p->op, pattern, true) < 0 || register_ftrace_function(&p->op);
}

static void with_others(unsigned int flags)
{
	struct seen *x = start(0, "fg_[ab]"), *y = start(1, "fg_[bc]"), *z;

	report(!start_plain(&plain[0], flags, "fg_[abc]"), "an op, flags %x", flags);
	z = start(2, "fg_*");
	report(!start_plain(&plain[1], 0, "fg_b"), "another op");
	for (unsigned long i = 0; i < 10; i++)
		if (fg_a(i) != i + 3)
			report(false, "result");
	report(x->entries == 20 && x->returns == 20, "user 0: %lu, %lu", x->entries, x->returns);
	report(y->entries == 20 && y->returns == 20, "user 1: %lu, %lu", y->entries, y->returns);
	report(z->entries == 30 && z->returns == 30, "user 2: %lu, %lu", z->entries, z->returns);
	report(plain[0].calls == 30 && plain[1].calls == 10, "ops: %lu, %lu", plain[0].calls, plain[1].calls);
	report(!plain[0].wrong_parents && !plain[1].wrong_parents, "ops see the true parents");
	report(nested_events_right(z, 54, 9), "depth, arguments and results");
	end(x);
	fg_a(0);
	report(x->returns == 20 && y->returns == 22 && z->returns == 33, "one leaves, the others stay");
	report(!unregister_ftrace_function(&plain[0].op) && !unregister_ftrace_function(&plain[1].op), "ops leave");
	end(z);
	end(y);
	report_clean();
}

DEFINE_TEST(fgraph_users)
{
	static const char *const designs[] = { "list", "set" };
	const char *before = dispatch_current()->name;

	for (unsigned int i = 0; i < ARRAY_SIZE(designs); i++) {
		report(!dispatch_select(designs[i]), "design %s", designs[i]);
		with_others(0);
		with_others(FTRACE_OPS_FL_SAVE_REGS);
		with_others(FTRACE_OPS_FL_RECURSION);
	}
	report(!dispatch_select(before), "design %s", before);
}

/* ---- filters: each user's own, exactly ------------------------------------------- */

#define FILTER_USERS	5

static u32 random_state = 12345;

static u32 random_below(u32 n)
{
	random_state = random_state * 1664525u + 1013904223u;
	return (random_state >> 8) % n;
}

struct model { bool on; u32 filter, hidden; };
static struct model models[FILTER_USERS];

static bool model_wants(const struct model *m, unsigned int f)
{
	return m->on && (!m->filter || m->filter & 1u << f) && !(m->hidden & 1u << f);
}

static void random_lists(struct seen *s, struct model *m)
{
	m->filter = random_below(4) ? random_below(1u << FG_MANY) : 0;
	m->hidden = random_below(2) ? random_below(1u << FG_MANY) & random_below(1u << FG_MANY) : 0;
	if (ftrace_set_filter(&s->graph.ops, NULL, true) < 0 || ftrace_set_notrace(&s->graph.ops, NULL, true) < 0)
		report(false, "lists are emptied");
	for (unsigned int f = 0; f < FG_MANY; f++) {
		char name[20];

		format(name, sizeof(name), "fg_many_%u", f);
		if (m->filter & 1u << f && ftrace_set_filter(&s->graph.ops, name, false) != 1)
			report(false, "filter %s", name);
		if (m->hidden & 1u << f && ftrace_set_notrace(&s->graph.ops, name, false) != 1)
			report(false, "notrace %s", name);
	}
}

static void random_step(unsigned int i)
{
	struct model *m = &models[i];
	int err = 0;

	if (!m->on) {
		prepare(i, NULL);
		random_lists(&seen[i], m);
		err = register_ftrace_graph(&seen[i].graph);
		m->on = true;
	} else if (random_below(2)) {
		random_lists(&seen[i], m);
	} else {
		end(&seen[i]);
		m->on = false;
	}
	if (err)
		report(false, "user %u: %d", i, err);
}

static unsigned int call_against_models(void)
{
	unsigned int wrong = 0;

	for (unsigned int f = 0; f < FG_MANY; f++) {
		for (unsigned int i = 0; i < FILTER_USERS; i++) {
			seen[i].watched = ip_of(fg_many[f]);
			seen[i].watched_entries = 0;
			seen[i].watched_returns = 0;
		}
		wrong += fg_many[f](f) != 2 * f;
		for (unsigned int i = 0; i < FILTER_USERS; i++) {
			bool wanted = model_wants(&models[i], f);

			wrong += seen[i].watched_entries != wanted || seen[i].watched_returns != wanted;
		}
	}
	return wrong;
}

DEFINE_TEST(fgraph_filters)
{
	unsigned long rounds = cmdline_number("rounds", 60, 1, 100000), n;
	unsigned int wrong = 0;

	memset(models, 0, sizeof(models));
	for (n = 0; n < rounds; n++) {
		random_step(random_below(FILTER_USERS));
		wrong += call_against_models();
	}
	report(!wrong, "%lu changes of %d users' filters: %u deviations from the union of filter minus notrace",
	       n, FILTER_USERS, wrong);
	for (unsigned int i = 0; i < FILTER_USERS; i++)
		if (models[i].on)
			end(&seen[i]);
	report_clean();
}

/* ---- values ------------------------------------------------------------------------ */

static void check_values(void)
{
	struct fg_pair pair = fg_two(5);
	struct fg_big big = fg_memory(100);
	bool right = true;

	report(fg_wide(0x123456789abcdef0, 7) == 0x369d0369d0369cd0 + 7, "64 bits");
	report(pair.a == ~5ul && pair.b == 6, "two words");
	for (unsigned int i = 0; i < ARRAY_SIZE(big.word); i++)
		right &= big.word[i] == 100 + i;
	report(right, "a struct in memory");
	report(fg_ten(1, 2, 3, 4, 5, 6, 7, 8, 9, 10) == 385, "ten arguments");
	report(fg_variadic(9, 1ul, 2ul, 3ul, 4ul, 5ul, 6ul, 7ul, 8ul, 9ul) == 45, "variable arguments");
}

DEFINE_TEST(fgraph_values)
{
	struct seen *s = start(0, "fg_*"), *other;

	check_values();
	report(s->entries == 5 && s->returns == 5, "%lu entries, %lu returns", s->entries, s->returns);
	if (sizeof(long) == 8)
		report(s->event[3].value == ~5ul || s->event[1].value == ~5ul, "retval");
	other = start(1, "fg_*");
	check_values();
	report(s->returns == 10 && other->returns == 5, "with two users");
	end(s);
	end(other);
	report_clean();
}

/* ---- depth -------------------------------------------------------------------------- */

static void overflow_with(unsigned int users)
{
	struct fgraph_stats before, after;

	for (unsigned int i = 0; i < users; i++)
		start(i, "fg_deep");
	fgraph_stats(&before);
	report(fg_deep(199) == 199, "200 calls deep");
	fgraph_stats(&after);
	for (unsigned int i = 0; i < users; i++)
		report(seen[i].entries == FGRAPH_DEPTH && seen[i].returns == FGRAPH_DEPTH,
		       "%lu entries, %lu returns", seen[i].entries, seen[i].returns);
	report(after.overflow - before.overflow == users * (200 - FGRAPH_DEPTH), "%lu did not fit",
	       after.overflow - before.overflow);
	report(fg_deep(9) == 9 && seen[0].returns == FGRAPH_DEPTH + 10, "room again");
	for (unsigned int i = 0; i < users; i++)
		end(&seen[i]);
	report_clean();
}

DEFINE_TEST(fgraph_overflow)
{
	overflow_with(1);
	overflow_with(2);
}

/* ---- handlers that call what is hooked ------------------------------------------------ */

static unsigned long called_inside;

static notrace int calling_entry(struct ftrace_graph_ent *trace, struct fgraph_ops *gops, struct ftrace_regs *fregs)
{
	called_inside += fg_leaf(1) == 8;
	return on_entry(trace, gops, fregs);
}

static notrace void calling_return(struct ftrace_graph_ret *trace, struct fgraph_ops *gops)
{
	called_inside += fg_leaf(1) == 8;
	on_return(trace, gops);
}

/* With call sites of their own. */
static int traced_entry(struct ftrace_graph_ent *trace, struct fgraph_ops *gops, struct ftrace_regs *fregs)
{
	return on_entry(trace, gops, fregs);
}

static void traced_return(struct ftrace_graph_ret *trace, struct fgraph_ops *gops)
{
	on_return(trace, gops);
}

DEFINE_TEST(fgraph_recursion)
{
	struct seen *s = prepare(0, "fg_*");

	s->graph.entryfunc = calling_entry;
	s->graph.retfunc = calling_return;
	s->graph.ops.flags = FTRACE_OPS_FL_RECURSION;
	called_inside = 0;
	report(!register_ftrace_graph(&s->graph), "handlers that call a hooked function");
	report(fg_a(0) == 3 && s->entries == 3 && s->returns == 3, "%lu entries, %lu returns", s->entries, s->returns);
	report(called_inside == 6 && s->graph.ops.recursed == 6, "%lu calls inside, %lu dropped",
	       called_inside, s->graph.ops.recursed);
	end(s);

	s = prepare(0, NULL);
	s->graph.entryfunc = traced_entry;
	s->graph.retfunc = traced_return;
	if (ftrace_set_filter(&s->graph.ops, "fg_*", true) < 0 ||
	    ftrace_set_filter(&s->graph.ops, "traced_*", false) < 0)
		report(false, "filters");
	report(!register_ftrace_graph(&s->graph), "handlers that are hooked themselves");
	report(fg_a(0) == 3 && s->entries == 3 && s->returns == 3, "%lu entries, %lu returns, %lu dropped",
	       s->entries, s->returns, s->graph.ops.recursed);
	end(s);

	/* Without a guard: bounded by the depth. */
	s = prepare(0, "fg_*");
	s->graph.entryfunc = calling_entry;
	report(!register_ftrace_graph(&s->graph), "handlers that recurse without a guard");
	report(fg_leaf(0) == 7 && s->entries == FGRAPH_DEPTH && s->returns == FGRAPH_DEPTH,
	       "%lu entries, %lu returns", s->entries, s->returns);
	end(s);
	report_clean();
}

/* ---- tail calls ------------------------------------------------------------------------- */

static bool chain_right(const struct seen *s, unsigned int first)
{
	bool right = true;

	for (unsigned int i = 0; i < FG_TAILS; i++) {
		const struct event *in = &s->event[first + i];
		const struct event *out = &s->event[first + 2 * FG_TAILS - 1 - i];

		right &= !in->is_return && in->func == ip_of(fg_tail[i]) && in->depth == (int)i;
		right &= out->is_return && out->func == in->func && out->depth == in->depth &&
			 out->value == FG_TAILS + 5;
	}
	return right;
}

static void tails_with(unsigned int users, unsigned long nr_jumps, unsigned int flags)
{
	struct fgraph_stats before, after;

	for (unsigned int i = 0; i < users; i++) {
		prepare(i, "fg_*")->graph.ops.flags = flags;
		report(!register_ftrace_graph(&seen[i].graph), "user %u, flags %x", i, flags);
	}
	report(fg_tail[0](5) == FG_TAILS + 5, "a chain of %d tail calls", FG_TAILS);
	for (unsigned int i = 0; i < users; i++)
		report(seen[i].entries == FG_TAILS && seen[i].returns == FG_TAILS && chain_right(&seen[i], 0),
		       "%lu entries, %lu returns, last in, first out", seen[i].entries, seen[i].returns);
	fgraph_stats(&before);
	report(fg_ping(nr_jumps) == 43, "%lu jumps to and fro", nr_jumps);
	fgraph_stats(&after);
	for (unsigned int i = 0; i < users; i++)
		report(seen[i].entries == FG_TAILS + nr_jumps + 1 && seen[i].returns == seen[i].entries &&
		       !seen[i].graph.ops.recursed,
		       "%lu entries, %lu returns", seen[i].entries, seen[i].returns);
	report(after.overflow == before.overflow, "%lu closed early, none lost",
	       after.closed_early - before.closed_early);
	for (unsigned int i = 0; i < users; i++)
		end(&seen[i]);
	report_clean();
}

DEFINE_TEST(fgraph_tails)
{
	unsigned long nr_jumps = cmdline_number("jumps", 20000, 2, 10000000) & ~1ul;

	for (unsigned int users = 1; users <= 2; users++) {
		tails_with(users, nr_jumps, 0);
		tails_with(users, nr_jumps / 10, FTRACE_OPS_FL_RECURSION);
	}
}

/* A chain whose functions belong to different users, and one that belongs to all. */
DEFINE_TEST(fgraph_tails_apart)
{
	static const char *const patterns[] = { "fg_tail_*[02468]", "fg_tail_*[13579]", "fg_tail_*" };
	unsigned int strange = 0;

	for (unsigned int i = 0; i < ARRAY_SIZE(patterns); i++)
		start(i, patterns[i]);
	report(fg_tail[0](5) == FG_TAILS + 5, "result");
	for (unsigned int i = 0; i < 2; i++) {
		report(seen[i].entries == FG_TAILS / 2 && seen[i].returns == FG_TAILS / 2,
		       "every other one: %lu entries, %lu returns", seen[i].entries, seen[i].returns);
		for (unsigned int n = 0; n < FG_TAILS / 2; n++)
			strange += seen[i].event[n].func != ip_of(fg_tail[2 * n + i]);
	}
	report(!strange, "%u calls of other functions", strange);
	report(chain_right(&seen[2], 0), "the user of all");
	for (unsigned int i = 0; i < ARRAY_SIZE(patterns); i++)
		end(&seen[i]);
	report_clean();
}

/* The chain is closed early once. */
#define PONGS	((FGRAPH_DEPTH * 3 / 2) & ~1ul)

static unsigned long ponged;

static notrace void pong(void)
{
	fg_hook = NULL;
	ponged = fg_pong(PONGS);
}

/*
 * A chain that is closed early, of functions with one user and with two: what is
 * planted for its oldest must be there again. At odd depths one of them finds no room,
 * at even ones the other.
 */
DEFINE_TEST(fgraph_tails_mixed)
{
	for (unsigned int deeper = 0; deeper < 2; deeper++) {
		start(0, "fg_p[io]ng");
		start(1, "fg_pong");
		report(!deeper || ftrace_set_filter(&seen[0].graph.ops, "fg_c", false) == 1, "one deeper");
		fg_hook = pong;
		fg_c(0);
		report(ponged == 42, "result");
		report(seen[0].entries == PONGS + 1 + deeper && seen[0].returns == seen[0].entries,
		       "of both: %lu entries, %lu returns", seen[0].entries, seen[0].returns);
		report(seen[1].entries == PONGS / 2 + 1 && seen[1].returns == seen[1].entries,
		       "of one: %lu entries, %lu returns", seen[1].entries, seen[1].returns);
		end(&seen[0]);
		end(&seen[1]);
	}
	report_clean();
}

/* ---- unwinding out ------------------------------------------------------------------------ */

static jmp_buf out;

static notrace void leave(void)
{
	longjmp(out, 1);
}

/* Frames of ours lie above, those left below. */
static __attribute__((noipa)) unsigned long leave_from(unsigned long (*function)(unsigned long), bool *came_back)
{
	*came_back = false;
	fg_hook = leave;
	if (!setjmp(out))
		function(1);
	else
		*came_back = true;
	fg_hook = NULL;
	barrier();
	return 11;
}

static void leave_with(unsigned int users)
{
	struct fgraph_stats before, after;
	unsigned int abandoned = 0;
	bool came_back;

	for (unsigned int i = 0; i < users; i++) {
		prepare(i, "fg_*");
		report(ftrace_set_filter(&seen[i].graph.ops, "leave_from", false) == 1, "one function more");
		report(!register_ftrace_graph(&seen[i].graph), "user %u", i);
	}
	fgraph_stats(&before);
	for (unsigned int i = 0; i < 100; i++) {
		REPORT_FAILURE(leave_from(fg_a, &came_back) == 11 && came_back, "out of three functions");
		REPORT_FAILURE(leave_from(fg_tail[0], &came_back) == 11 && came_back, "out of a chain of tail calls");
		abandoned += 3 + FG_TAILS;
	}
	fgraph_stats(&after);
	report(after.abandoned - before.abandoned == abandoned, "%lu frames left behind",
	       after.abandoned - before.abandoned);
	for (unsigned int i = 0; i < users; i++)
		report(seen[i].entries == 200 + abandoned && seen[i].returns == 200, "%lu entries, %lu returns",
		       seen[i].entries, seen[i].returns);
	report(fg_a(1) == 4 && seen[0].returns == 203, "and on as before");
	for (unsigned int i = 0; i < users; i++)
		end(&seen[i]);
	report_clean();
}

DEFINE_TEST(fgraph_longjmp)
{
	leave_with(1);
	leave_with(2);
}

/* Nobody is told: frames of several users are found to be left behind by themselves. */
__noreturn void __real_longjmp(jmp_buf env, int value);

static notrace void leave_untold(void)
{
	__real_longjmp(out, 1);
}

static __attribute__((noipa)) unsigned long leave_from_here(unsigned long x)
{
	fg_hook = leave_untold;
	if (!setjmp(out))
		fg_a(x);
	fg_hook = NULL;
	barrier();
	return x + 11;
}

DEFINE_TEST(fgraph_untold)
{
	struct fgraph_stats before, after;

	for (unsigned int i = 0; i < 2; i++) {
		prepare(i, "fg_[abc]");
		report(ftrace_set_filter(&seen[i].graph.ops, "leave_from_here", false) == 1, "one function more");
		report(!register_ftrace_graph(&seen[i].graph), "user %u", i);
	}
	fgraph_stats(&before);
	for (unsigned int n = 0; n < 2 * FGRAPH_DEPTH; n++)
		REPORT_FAILURE(leave_from_here(n) == n + 11, "result");
	fgraph_stats(&after);
	report(after.abandoned - before.abandoned == 3 * 2 * FGRAPH_DEPTH, "%lu frames left behind",
	       after.abandoned - before.abandoned);
	for (unsigned int i = 0; i < 2; i++) {
		report(seen[i].returns == 2 * FGRAPH_DEPTH && seen[i].entries == 4 * seen[i].returns,
		       "%lu entries, %lu returns", seen[i].entries, seen[i].returns);
		report(seen[i].event[4].is_return && seen[i].event[4].value == 11, "it has the function's own result");
		end(&seen[i]);
	}
	report_clean();
}

/*
 * Chains that nobody ended, of @frames frames, with the stack pointer of the one that follows:
 * they are no part of it, when the shadow stack is full of them and when it fills within that.
 */
static __attribute__((noipa)) unsigned long leave_chains(unsigned long x, unsigned int frames)
{
	static unsigned int left;
	unsigned int some;

	left = frames;
	fg_hook = leave_untold;
	setjmp(out);
	some = min(left, (unsigned int)FG_TAILS);
	left -= some;
	if (some)
		fg_tail[FG_TAILS - some](x);
	fg_hook = NULL;
	for (unsigned int i = 0; i < 2; i++)
		seen[i].entries = seen[i].returns = 0;
	barrier();
	return fg_tail[0](x + 1) + 11;
}

static void leave_chains_of(unsigned int frames)
{
	struct fgraph_stats before, after;

	for (unsigned int i = 0; i < 2; i++)
		start(i, "fg_tail_*");
	fgraph_stats(&before);
	report(leave_chains(1, frames) == FG_TAILS + 1 + 1 + 11, "result behind %u frames of chains", frames);
	fgraph_unwind_to((unsigned long)__builtin_frame_address(0));
	fgraph_stats(&after);
	report(after.abandoned - before.abandoned == frames, "%lu are left behind", after.abandoned - before.abandoned);
	for (unsigned int i = 0; i < 2; i++) {
		report(seen[i].entries == FG_TAILS && seen[i].returns == FG_TAILS, "%lu entries, %lu returns",
		       seen[i].entries, seen[i].returns);
		end(&seen[i]);
	}
	report_clean();
}

DEFINE_TEST(fgraph_tails_left)
{
	leave_chains_of(FGRAPH_DEPTH - FG_TAILS / 4);
	leave_chains_of(FGRAPH_DEPTH);
}

/* ---- interrupts ------------------------------------------------------------------------------ */

static unsigned long wrong_inside;

static notrace void interrupt_handler(void *arg)
{
	wrong_inside += fg_a(10) != 13;
}

static notrace void interrupt_inside(void)
{
	fg_hook = NULL;
	port_soft_irq(interrupt_handler, NULL);
}

static notrace int interrupted_entry(struct ftrace_graph_ent *trace, struct fgraph_ops *gops,
				     struct ftrace_regs *fregs)
{
	int wanted = on_entry(trace, gops, fregs);

	if (!baretrace_irq_regs())
		port_soft_irq(interrupt_handler, NULL);
	return wanted;
}

static notrace void interrupted_return(struct ftrace_graph_ret *trace, struct fgraph_ops *gops)
{
	on_return(trace, gops);
	if (!baretrace_irq_regs())
		port_soft_irq(interrupt_handler, NULL);
}

DEFINE_TEST(fgraph_interrupts)
{
	struct seen *s = start(0, "fg_[abc]");

	wrong_inside = 0;
	fg_hook = interrupt_inside;
	report(fg_a(1) == 4 && !wrong_inside, "an interrupt in the innermost function");
	report(s->entries == 6 && s->returns == 6, "%lu entries, %lu returns", s->entries, s->returns);
	report(event_is(s, 3, fg_a, 3, false, 10) && event_is(s, 5, fg_c, 5, false, 10) &&
	       event_is(s, 8, fg_a, 3, true, 13) && event_is(s, 9, fg_c, 2, true, 2), "nested below it");
	end(s);

	for (unsigned int flags = 0; flags <= FTRACE_OPS_FL_RECURSION; flags += FTRACE_OPS_FL_RECURSION) {
		s = prepare(0, "fg_[abc]");
		s->graph.ops.flags = flags;
		s->graph.entryfunc = interrupted_entry;
		s->graph.retfunc = interrupted_return;
		report(!register_ftrace_graph(&s->graph), "interrupts inside the handlers, flags %x", flags);
		report(fg_a(1) == 4 && !wrong_inside, "results");
		report(s->entries == 3 + 6 * 3 && s->returns == 3 + 6 * 3, "%lu entries, %lu returns",
		       s->entries, s->returns);
		end(s);
	}
	report_clean();
}

/* Another user hooks everything; ours one function, and nothing else is ever its. */
static unsigned long nr_others;

static notrace int others_entry(struct ftrace_graph_ent *trace, struct fgraph_ops *gops, struct ftrace_regs *fregs)
{
	return 1;
}

static notrace void others_return(struct ftrace_graph_ret *trace, struct fgraph_ops *gops)
{
	nr_others++;
}

DEFINE_TEST(fgraph_only_chosen)
{
	struct fgraph_ops all = { .entryfunc = others_entry, .retfunc = others_return };
	struct seen *s = prepare(0, "fg_leaf");

	nr_others = wrong_inside = 0;
	s->graph.entryfunc = interrupted_entry;
	s->graph.retfunc = interrupted_return;
	report(!register_ftrace_graph(&s->graph) && !register_ftrace_graph(&all), "one function, and all");
	thread_sleep_ms(50);
	report(!s->entries && !s->returns, "%lu entries while it is not called", s->entries);
	report(fg_leaf(1) == 8 && !wrong_inside, "its handlers are interrupted");
	report(s->entries == 1 && s->returns == 1 && event_is(s, 0, fg_leaf, s->event[0].depth, false, 1),
	       "%lu entries, %lu returns", s->entries, s->returns);
	report(!unregister_ftrace_graph(&all), "the other leaves");
	report(nr_others > 10, "it saw %lu", nr_others);
	end(s);
	report_clean();
}

// SPDX-License-Identifier: MIT
/* Graph users that go: later, and while another user's call is in a handler of theirs; what is refused. */
#include "tests/test.h"
#include "tests/guest/fgraph_tracees.h"

#include "base/errno.h"
#include "base/string.h"
#include "core/fgraph.h"
#include "kernel/smp.h"
#include "kernel/thread.h"

static void make(struct fg_counter *user, const char *pattern)
{
	*user = (struct fg_counter){ .graph.retfunc = fg_count_return };
	if (ftrace_set_filter(&user->graph.ops, pattern, true) != 1)
		report(false, "filter %s", pattern);
}

static int off(struct fg_counter *user)
{
	return unregister_ftrace_graph(&user->graph);
}

static int on(struct fg_counter *user)
{
	return register_ftrace_graph(&user->graph);
}

/* ---- refused ---------------------------------------------------------------------------- */

DEFINE_TEST(fgraph_flags)
{
	static struct fg_counter user;
	struct ftrace_ops *op = &user.graph.ops;
	unsigned int good = FTRACE_OPS_FL_ASSISTS | FTRACE_OPS_FL_PERMANENT, wrong = 0;

	make(&user, "fg_leaf");
	for (unsigned int flag = 1; flag <= FTRACE_OPS_FL_COUNT; flag <<= 1) {
		op->flags = flag;
		if (!(flag & good) && on(&user) != -EINVAL)
			wrong++;
	}
	report(!wrong, "%u of the flags that mean nothing here are taken", wrong);
	op->flags = FTRACE_OPS_FL_ASSISTS;
	report(!on(&user), "assists");
	report(unregister_ftrace_function(op) == -EINVAL && unregister_ftrace_function_deferred(op) == -EINVAL,
	       "its ops cannot go without it");
	report(!off(&user), "unregister");
	report(register_ftrace_function(op) == -EINVAL, "nor come");
	ftrace_free_filter(op);
}

/* ---- later --------------------------------------------------------------------------------- */

static int later, again, at_once;

static notrace int leave(struct ftrace_graph_ent *trace, struct fgraph_ops *gops, struct ftrace_regs *fregs)
{
	at_once = unregister_ftrace_graph(gops);
	later = unregister_ftrace_graph_deferred(gops);
	again = unregister_ftrace_graph_deferred(gops);
	return fg_count_entry(trace, gops, fregs);
}

DEFINE_TEST(fgraph_deferred)
{
	static struct fg_counter user;
	struct fgraph_stats stats;

	make(&user, "fg_leaf");
	user.graph.entryfunc = leave;
	report(unregister_ftrace_graph_deferred(&user.graph) == -ENOENT, "not registered");
	report(!on(&user), "register");
	report(fg_leaf(1) == 8 && at_once == -EBUSY && !later && again == -EBUSY,
	       "in its handler: %d, later %d, twice %d", at_once, later, again);
	report(user.returns == 1, "this one call returns to it");
	for (unsigned int n = 0; n < 100 && ftrace_ops_is_registered(&user.graph.ops); n++)
		thread_sleep_ms(20);
	report(!ftrace_ops_is_registered(&user.graph.ops) && off(&user) == -ENOENT, "it is gone");
	fgraph_stats(&stats);
	report(!stats.users && !stats.leaving, "%u users, %u leaving", stats.users, stats.leaving);
	user.entries = 0;
	report(fg_leaf(1) == 8 && !user.entries, "and not called");
	user.graph.entryfunc = fg_count_entry;
	report(!on(&user) && fg_leaf(1) == 8 && user.entries == 1, "it may come again");
	report(!off(&user), "unregister");
	ftrace_free_filter(&user.graph.ops);
}

/* ---- in a handler by way of another user -------------------------------------------------------- */

/*
 * Its return handler is called out of the other user's entry, which closes the frames of
 * a chain of tail calls. It stays there until it is let go.
 */
static unsigned int armed, inside, open_again, gone;

static notrace void stay(struct ftrace_graph_ret *trace, struct fgraph_ops *gops)
{
	if (!READ_ONCE(armed))
		return;
	WRITE_ONCE(armed, 0);
	WRITE_ONCE(inside, 1);
	while (!READ_ONCE(open_again))
		arch_relax();
	WRITE_ONCE(inside, 0);
}

static void chain(void)
{
	fg_ping(400);
}

/* Some frames deep: called first in a thread, a wait that is not made may be made up for by words left on the stack. */
static int call_chain(void *arg)
{
	return fg_a(1) != 4;
}

static struct fg_counter goes, stays;

static int unregister_it(void *arg)
{
	int err = off(&goes);
	bool wrong = READ_ONCE(inside);

	WRITE_ONCE(gone, 1);
	return err || wrong;
}

DEFINE_TEST(fgraph_waits_for_others_call)
{
	struct thread *caller, *unregisters;

	make(&goes, "fg_pong");
	make(&stays, "fg_ping");
	goes.graph.retfunc = stay;
	armed = 1;
	inside = open_again = gone = 0;
	if (ftrace_set_filter(&stays.graph.ops, "fg_a", false) != 1)
		report(false, "filter");
	fg_hook = chain;
	report(!on(&goes) && !on(&stays), "register");
	caller = thread_create("chain", call_chain, NULL, smp_online() - 1);
	while (!READ_ONCE(inside))
		thread_sleep_ms(1);
	unregisters = thread_create("unregister", unregister_it, NULL, THREAD_ANY_CPU);
	for (unsigned int n = 0; n < 50 && !READ_ONCE(gone); n++)
		thread_sleep_ms(10);
	report(!READ_ONCE(gone), "who unregisters it waits");
	WRITE_ONCE(open_again, 1);
	report(!thread_join(unregisters), "until it is over");
	report(!thread_join(caller), "the chain ends as it should");
	fg_hook = NULL;
	report(!off(&stays), "unregister");
	ftrace_free_filter(&goes.graph.ops);
	ftrace_free_filter(&stays.graph.ops);
}

/* ---- off and on again -------------------------------------------------------------------------- */

/*
 * A thread stands in a chain of tail calls, in the entry handler of one user. Meanwhile the
 * other, of which it has frames, goes and comes again, the same object each time. Then the
 * chain fills the shadow stack and closes early, with frames that nobody is to be told of.
 */
#define AGAIN	(3 * FGRAPH_MAX_USERS)

static notrace int wait_at_tenth(struct ftrace_graph_ent *trace, struct fgraph_ops *gops, struct ftrace_regs *fregs)
{
	fg_count_entry(trace, gops, fregs);
	if (stays.entries != 10)
		return 1;
	WRITE_ONCE(inside, 1);
	while (!READ_ONCE(open_again))
		arch_relax();
	return 1;
}

DEFINE_TEST(fgraph_again)
{
	struct fgraph_stats stats;
	struct thread *caller;
	int err = 0;

	make(&goes, "fg_pong");
	make(&stays, "fg_ping");
	goes.graph.entryfunc = fg_count_entry;
	stays.graph.entryfunc = wait_at_tenth;
	inside = open_again = 0;
	if (ftrace_set_filter(&stays.graph.ops, "fg_a", false) != 1)
		report(false, "filter");
	fg_hook = chain;
	report(!on(&goes) && !on(&stays), "register");
	caller = thread_create("chain", call_chain, NULL, smp_online() - 1);
	while (!READ_ONCE(inside))
		thread_sleep_ms(1);
	report(goes.entries && !goes.returns, "%lu frames are outstanding", goes.entries);
	for (unsigned int n = 0; n < AGAIN && !err; n++)
		err = off(&goes) ?: on(&goes);
	fgraph_stats(&stats);
	report(!err && stats.users == 2 && stats.leaving == 1, "%u times off and on: %d; %u users, %u leaving",
	       AGAIN, err, stats.users, stats.leaving);
	goes.entries = 0;
	WRITE_ONCE(open_again, 1);
	report(!thread_join(caller), "the chain ends as it should");
	report(goes.entries && goes.returns == goes.entries, "%lu entries and %lu returns since it came last",
	       goes.entries, goes.returns);
	fg_hook = NULL;
	report(!off(&goes) && !off(&stays), "unregister");
	ftrace_free_filter(&goes.graph.ops);
	ftrace_free_filter(&stays.graph.ops);
}

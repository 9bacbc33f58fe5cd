// SPDX-License-Identifier: MIT
/* Graph users that go: later, and while another user's call is in a handler of theirs; what is refused. */
#include "tests/test.h"
#include "tests/guest/fgraph_tracees.h"

#include "base/errno.h"
#include "base/string.h"
#include "core/fgraph.h"
#include "kernel/smp.h"
#include "kernel/thread.h"

static unsigned long entries, returns;

static notrace int note_entry(struct ftrace_graph_ent *trace, struct fgraph_ops *gops, struct ftrace_regs *fregs)
{
	entries++;
	return 1;
}

static notrace void note_return(struct ftrace_graph_ret *trace, struct fgraph_ops *gops)
{
	returns++;
}

static void make(struct fgraph_ops *gops, const char *pattern)
{
	memset(gops, 0, sizeof(*gops));
	gops->retfunc = note_return;
	if (ftrace_set_filter(&gops->ops, pattern, true) != 1)
		report(false, "filter %s", pattern);
}

/* ---- refused ---------------------------------------------------------------------------- */

DEFINE_TEST(fgraph_flags)
{
	static struct fgraph_ops user;
	struct ftrace_ops *op = &user.ops;
	unsigned int good = FTRACE_OPS_FL_ASSISTS | FTRACE_OPS_FL_PERMANENT, wrong = 0;

	make(&user, "fg_leaf");
	for (unsigned int flag = 1; flag <= FTRACE_OPS_FL_COUNT; flag <<= 1) {
		user.ops.flags = flag;
		if (!(flag & good) && register_ftrace_graph(&user) != -EINVAL)
			wrong++;
	}
	report(!wrong, "%u of the flags that mean nothing here are taken", wrong);
	user.ops.flags = FTRACE_OPS_FL_ASSISTS;
	report(!register_ftrace_graph(&user), "assists");
	report(unregister_ftrace_function(op) == -EINVAL && unregister_ftrace_function_deferred(op) == -EINVAL,
	       "its ops cannot go without it");
	report(!unregister_ftrace_graph(&user), "unregister");
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
	return note_entry(trace, gops, fregs);
}

DEFINE_TEST(fgraph_deferred)
{
	static struct fgraph_ops user;
	struct fgraph_stats stats;

	make(&user, "fg_leaf");
	user.entryfunc = leave;
	entries = returns = 0;
	report(unregister_ftrace_graph_deferred(&user) == -ENOENT, "not registered");
	report(!register_ftrace_graph(&user), "register");
	report(fg_leaf(1) == 8 && at_once == -EBUSY && !later && again == -EBUSY,
	       "in its handler: %d, later %d, twice %d", at_once, later, again);
	report(returns == 1, "this one call returns to it");
	for (unsigned int n = 0; n < 100 && ftrace_ops_is_registered(&user.ops); n++)
		thread_sleep_ms(20);
	report(!ftrace_ops_is_registered(&user.ops) && unregister_ftrace_graph(&user) == -ENOENT, "it is gone");
	fgraph_stats(&stats);
	report(!stats.users && !stats.leaving, "%u users, %u leaving", stats.users, stats.leaving);
	entries = 0;
	report(fg_leaf(1) == 8 && !entries, "and not called");
	user.entryfunc = note_entry;
	report(!register_ftrace_graph(&user) && fg_leaf(1) == 8 && entries == 1, "it may come again");
	report(!unregister_ftrace_graph(&user), "unregister");
	ftrace_free_filter(&user.ops);
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

static struct fgraph_ops goes, stays;

static int unregister_it(void *arg)
{
	int err = unregister_ftrace_graph(&goes);
	bool wrong = READ_ONCE(inside);

	WRITE_ONCE(gone, 1);
	return err || wrong;
}

DEFINE_TEST(fgraph_waits_for_others_call)
{
	struct thread *caller, *unregisters;

	make(&goes, "fg_pong");
	make(&stays, "fg_ping");
	goes.retfunc = stay;
	armed = 1;
	inside = open_again = gone = 0;
	if (ftrace_set_filter(&stays.ops, "fg_a", false) != 1)
		report(false, "filter");
	fg_hook = chain;
	report(!register_ftrace_graph(&goes) && !register_ftrace_graph(&stays), "register");
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
	report(!unregister_ftrace_graph(&stays), "unregister");
	ftrace_free_filter(&goes.ops);
	ftrace_free_filter(&stays.ops);
}

/* ---- off and on again -------------------------------------------------------------------------- */

/*
 * A thread stands in a chain of tail calls, in the entry handler of one user. Meanwhile the
 * other, of which it has frames, goes and comes again, the same object each time. Then the
 * chain fills the shadow stack and closes early, with frames that nobody is to be told of.
 */
#define AGAIN	(3 * FGRAPH_MAX_USERS)

static unsigned long again_entries, again_returns;

static notrace int again_entry(struct ftrace_graph_ent *trace, struct fgraph_ops *gops, struct ftrace_regs *fregs)
{
	again_entries++;
	return 1;
}

static notrace void again_return(struct ftrace_graph_ret *trace, struct fgraph_ops *gops)
{
	again_returns++;
}

static notrace int wait_at_tenth(struct ftrace_graph_ent *trace, struct fgraph_ops *gops, struct ftrace_regs *fregs)
{
	if (++entries != 10)
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
	goes.entryfunc = again_entry;
	goes.retfunc = again_return;
	stays.entryfunc = wait_at_tenth;
	entries = returns = again_entries = again_returns = 0;
	inside = open_again = 0;
	if (ftrace_set_filter(&stays.ops, "fg_a", false) != 1)
		report(false, "filter");
	fg_hook = chain;
	report(!register_ftrace_graph(&goes) && !register_ftrace_graph(&stays), "register");
	caller = thread_create("chain", call_chain, NULL, smp_online() - 1);
	while (!READ_ONCE(inside))
		thread_sleep_ms(1);
	report(again_entries && !again_returns, "%lu frames are outstanding", again_entries);
	for (unsigned int n = 0; n < AGAIN && !err; n++)
		err = unregister_ftrace_graph(&goes) ?: register_ftrace_graph(&goes);
	fgraph_stats(&stats);
	report(!err && stats.users == 2 && stats.leaving == 1, "%u times off and on: %d; %u users, %u leaving",
	       AGAIN, err, stats.users, stats.leaving);
	again_entries = 0;
	WRITE_ONCE(open_again, 1);
	report(!thread_join(caller), "the chain ends as it should");
	report(again_entries && again_returns == again_entries, "%lu entries and %lu returns since it came last",
	       again_entries, again_returns);
	fg_hook = NULL;
	report(!unregister_ftrace_graph(&goes) && !unregister_ftrace_graph(&stays), "unregister");
	ftrace_free_filter(&goes.ops);
	ftrace_free_filter(&stays.ops);
}

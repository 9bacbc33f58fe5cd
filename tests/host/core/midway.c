// SPDX-License-Identifier: MIT
/*
 * What a change meets half way: callbacks that run while it is made or taken back,
 * contexts in what goes, threads in the middle of a push, without stack, or at the end
 * of a stub. One rule each.
 */
#include "fake.h"

#include <stdlib.h>

#include "base/errno.h"
#include "base/host.h"
#include "core/baretrace.h"
#include "core/dispatch.h"
#include "core/fgraph_stack.h"
#include "core/fgraph_users.h"
#include "patch/code_pool.h"
#include "patch/site.h"

#define FRAME		sizeof(struct fgraph_frame)
#define CALLER		0x8000UL
#define STACK_TOP	0x100000UL

void host_on_each_cpu(void (*fn)(void *arg), void *arg, enum host_round kind) { fn(arg); }
unsigned int host_nr_online(void) { return 1; }
void host_stack_bounds(unsigned long *low, unsigned long *high) { abort(); }
void host_relax(void) { }

/* ---- one other thread, suspended; what it does when a picture is taken --------------- */

static unsigned long stack[4];
static unsigned long thread_pc;		/* for as many pictures more; then it is elsewhere */
static unsigned int pictures_left;
static struct trace_state thread_state;
static void (*in_picture)(void);

int host_for_each_suspended(int (*fn)(const struct host_context *ctx, void *arg), void *arg)
{
	struct host_context ctx = {
		.pc = 1, .stack_low = (unsigned long)stack, .stack_high = (unsigned long)(stack + 4),
		.trace = &thread_state,
	};

	if (in_picture)
		in_picture();
	if (pictures_left) {
		pictures_left--;
		ctx.pc = thread_pc;
	}
	return fn(&ctx, arg);
}

static void put_thread_at(unsigned long pc, unsigned int pictures)
{
	thread_pc = pc;
	pictures_left = pictures;
}

static bool was_awaited(void)
{
	bool left = !pictures_left;

	pictures_left = 0;
	return left;
}

/* ---- ops --------------------------------------------------------------------------- */

static unsigned int nr_calls, nr_without_registers, nr_own_code;

static void callback(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *op,
		     struct ftrace_regs *fregs)
{
	nr_calls++;
	nr_without_registers += op->flags & FTRACE_OPS_FL_SAVE_REGS && !ftrace_get_regs(fregs);
}

static void own_code(void)
{
	nr_own_code++;
}

static struct ftrace_ops one = { .func = callback }, two = { .func = callback };

static void register_two(void)
{
	check(!register_ftrace_function(&one) && !register_ftrace_function(&two));
}

static void unregister_two(void)
{
	check(!unregister_ftrace_function(&one) && !unregister_ftrace_function(&two));
}

static struct ftrace_ops *newcomer;
static int put_off_result;

static void put_off_newcomer(void)
{
	put_off_result = unregister_ftrace_function_deferred(newcomer);
}

/*
 * Registering fails at each of its steps, and a callback that was called by then has asked to
 * leave: who is told that it failed may free the op, no queue has it.
 */
static void test_put_off_meanwhile(void)
{
	unsigned int n, nr_put_off = 0;
	int err;

	register_two();
	in_picture = put_off_newcomer;
	for (n = 0; ; n++) {
		newcomer = calloc(1, sizeof(*newcomer));
		newcomer->func = callback;
		put_off_result = -ENOENT;
		fake_fail_after = (int)n;
		err = register_ftrace_function(newcomer);
		fake_fail_after = -1;
		if (!err)
			break;
		nr_put_off += !put_off_result;
		free(newcomer);
		check(baretrace_poll() == 0);
	}
	in_picture = NULL;
	check(nr_put_off);
	check(put_off_result ? !unregister_ftrace_function(newcomer) : baretrace_poll() == 1);
	free(newcomer);
	unregister_two();
}

/* Who walks for the design that goes reads what the other one frees. */
static void test_walker_of_old_design(void)
{
	register_two();
	put_thread_at(site_target(site_at(1)) + 1, 3);
	check(!dispatch_select("set") && was_awaited());
	check(!dispatch_select("list"));
	unregister_two();
}

/* In its trampoline when the op goes, when it loses the site, and when it loses another one. */
static void test_in_a_trampoline(void)
{
	struct ftrace_ops op = { .func = callback };

	check(ftrace_set_filter(&op, "f[345]", true) == 3 && !register_ftrace_function(&op));
	put_thread_at(site_target(site_at(3)) + 1, 3);
	check(ftrace_set_filter(&op, "f[34]", true) == 2 && was_awaited());
	put_thread_at(site_target(site_at(3)) + 1, 3);
	check(ftrace_set_filter(&op, "f4", true) == 1 && was_awaited());
	put_thread_at(site_target(site_at(4)) + 1, 3);
	check(!unregister_ftrace_function(&op) && was_awaited());
	ftrace_free_filter(&op);
}

static void call_f3(void)
{
	check(fake_call(3));
}

/*
 * An op that is in the list already, at a site that still calls the walker as it was chosen
 * without it: not before it has what it relies on.
 */
static void test_walker_finds_newcomer(void)
{
	static const struct { unsigned int flags; ftrace_func_t func; } kinds[] = {
		{ FTRACE_OPS_FL_SAVE_REGS, callback }, { FTRACE_OPS_FL_DIRECT, (ftrace_func_t)own_code },
		{ FTRACE_OPS_FL_LEAF, (ftrace_func_t)own_code }, { 0, callback },
	};

	register_two();
	for (unsigned int i = 0; i < ARRAY_SIZE(kinds); i++) {
		struct ftrace_ops op = { .func = kinds[i].func, .flags = kinds[i].flags };

		check(ftrace_set_filter(&op, "f3", true) == 1);
		nr_calls = nr_without_registers = nr_own_code = 0;
		fake_in_patch = call_f3;
		check(!register_ftrace_function(&op));
		fake_in_patch = NULL;
		check(nr_calls == (kinds[i].flags ? 2 : 3) && !nr_without_registers && !nr_own_code);
		check(!unregister_ftrace_function(&op));
		ftrace_free_filter(&op);
	}
	unregister_two();
}

/* ---- the graph --------------------------------------------------------------------- */

static int on_entry(struct ftrace_graph_ent *ent, struct fgraph_ops *gops, struct ftrace_regs *fregs)
{
	return 1;
}

static void on_return(struct ftrace_graph_ret *ret, struct fgraph_ops *gops)
{
}

static struct fgraph_stats stats_now(void)
{
	struct fgraph_stats stats;

	fgraph_stats(&stats);
	return stats;
}

static void enter(struct fgraph_ops *gops, unsigned int depth)
{
	struct ftrace_regs fregs = { .sp = STACK_TOP - depth * 64, .parent = CALLER };

	fgraph_enter(fake_ip(1), CALLER, &gops->ops, &fregs);
}

static bool newest_is_shared(void)
{
	return fgraph_frame_is_shared(fgraph_frame_at(fake_shadow));
}

static void leave_all(void)
{
	fgraph_unwind_to(STACK_TOP + 64);
	check(fake_shadow == fgraph_bottom(fake_shadow));
}

/* Its last frame is gone, and it stands behind that in the stub: which is freed with the number. */
static void test_at_the_end_of_a_stub(void)
{
	struct fgraph_ops gone = { .entryfunc = on_entry, .retfunc = on_return }, next = { .entryfunc = on_entry };
	unsigned long end;

	check(!register_ftrace_graph(&gone));
	enter(&gone, 0);
	end = fgraph_users[gone.index].stub->start + 1;
	check(!unregister_ftrace_graph(&gone) && stats_now().leaving == 1);
	fake_shadow -= FRAME;
	put_thread_at(end, 20);		/* more than are taken to look for frames */
	check(!register_ftrace_graph(&next) && was_awaited());
	check(!unregister_ftrace_graph(&next) && !stats_now().leaving);
}

/*
 * A full stack, and a thread in the middle of a push that finds no room, interrupted there
 * by others that do the same: its frames are there.
 */
static void test_full_in_a_push(void)
{
	struct fgraph_ops gops = { .entryfunc = on_entry, .retfunc = on_return };

	for (unsigned int pushes = 1; pushes < 4; pushes++) {
		check(!register_ftrace_graph(&gops));
		for (unsigned int i = 0; i < FGRAPH_DEPTH; i++)
			enter(&gops, i);
		fake_shadow += pushes * FRAME;
		check(!unregister_ftrace_graph(&gops) && stats_now().leaving == 1);
		fake_shadow -= pushes * FRAME;
		leave_all();
		check(!register_ftrace_graph(&gops) && !unregister_ftrace_graph(&gops) && !stats_now().leaving);
	}
}

/*
 * Registering fails at each of its steps: no user, no number, no code is left, and the
 * caller's object is as it was; so it is behind unregistering. (No room for code is no failure.)
 */
static void test_graph_refused(void)
{
	struct fgraph_ops gops = { .entryfunc = on_entry, .retfunc = on_return };
	unsigned int nr_failures = 0, blocks = fake_blocks;

	do {
		int err;

		fake_failed = false;
		fake_fail_after = (int)nr_failures;
		err = register_ftrace_graph(&gops);
		fake_fail_after = -1;
		check(stats_now().users == !err && !stats_now().leaving);
		check(err || !unregister_ftrace_graph(&gops));
		check(fake_blocks == blocks && !gops.ops.flags && !gops.ops.func);
		nr_failures++;
	} while (fake_failed);
	check(nr_failures > 20);
}

/* Handlers with a site are guarded, and only for as long as they are registered: whoever comes next may not need it. */
static void test_guard_is_given_back(void)
{
	struct fgraph_ops gops = { .retfunc = (trace_func_graph_ret_t)fake_ip(2), .ops.flags = FTRACE_OPS_FL_RCU };

	check(!register_ftrace_graph(&gops) && gops.ops.flags & FTRACE_OPS_FL_RECURSION);
	check(register_ftrace_function(&gops.ops) == -EINVAL && unregister_ftrace_function(&gops.ops) == -EINVAL);
	check(unregister_ftrace_function_deferred(&gops.ops) == -EINVAL);
	check(!unregister_ftrace_graph(&gops) && gops.ops.flags == FTRACE_OPS_FL_RCU);
	check(register_ftrace_function(&gops.ops) == -EINVAL);
}

/* No room for code of its own, and then for some: it is called as several users are. */
static void test_pool_full(void)
{
	struct fgraph_ops gops = { .entryfunc = on_entry, .retfunc = on_return };

	check(!dispatch_select("set"));
	for (unsigned int i = 0; i < 2; i++) {
		fake_pool_full = true;
		check(!register_ftrace_graph(&gops));
		fake_pool_full = i;
		check(!register_ftrace_function(&one));
		enter(&gops, 0);
		check(newest_is_shared());
		leave_all();
		fake_pool_full = false;
		check(!unregister_ftrace_function(&one) && !unregister_ftrace_graph(&gops));
	}
	check(!dispatch_select("list"));
}

/* Threads that could not be given a stack: the next who registers tries again. */
static void test_stack_missing(void)
{
	struct fgraph_ops gops = { .entryfunc = on_entry, .retfunc = on_return };
	unsigned long shadow = fake_shadow, no_stack = stats_now().no_stack;

	check(!register_ftrace_graph(&gops) && !unregister_ftrace_graph(&gops));
	fgraph_thread_free(&thread_state);
	fake_fail_after = 0;
	fgraph_thread_create(&thread_state);
	fake_fail_after = -1;
	check(!thread_state.shadow_sp);
	check(!register_ftrace_graph(&gops) && thread_state.shadow_sp);
	/* One that nobody knows of calls what is hooked. */
	fake_shadow = 0;
	enter(&gops, 0);
	check(!fake_shadow && stats_now().no_stack == no_stack + 1);
	check(!unregister_ftrace_graph(&gops));
	check(!register_ftrace_graph(&gops) && fake_shadow);
	check(!unregister_ftrace_graph(&gops));
	fgraph_thread_free(&(struct trace_state){ .shadow_sp = fake_shadow });
	fake_shadow = shadow;
}

static void look_at_frame(void)
{
	const struct fgraph_frame *frame = fgraph_frame_at(fake_shadow);

	if (fake_shadow != fgraph_bottom(fake_shadow))
		check(frame->graph.func == fake_ip(1) && frame->ret == CALLER && frame->sp == STACK_TOP);
}

/* Who looks between the move of the pointer and the writing of the frame finds it whole. */
static void test_frame_is_whole(void)
{
	struct fgraph_ops gops = { .entryfunc = on_entry, .retfunc = on_return };

	check(!register_ftrace_graph(&gops));
	fgraph_frame_fill(fgraph_frame_at(fake_shadow + FRAME), 1, 1, 1);
	fake_interrupt = look_at_frame;
	enter(&gops, 0);
	fake_interrupt = NULL;
	leave_all();
	check(!unregister_ftrace_graph(&gops));
}

int main(void)
{
	fake_smp = true;
	fake_sites(20, NULL);
	fake_own_code = (unsigned long)own_code;
	check(!ftrace_init() && !dispatch_select("list"));
	test_put_off_meanwhile();
	test_walker_of_old_design();
	test_in_a_trampoline();
	test_walker_finds_newcomer();
	test_at_the_end_of_a_stub();
	test_full_in_a_push();
	test_graph_refused();
	test_guard_is_given_back();
	test_pool_full();
	test_stack_missing();
	test_frame_is_whole();
	fgraph_thread_free(&thread_state);
	fgraph_thread_free(&(struct trace_state){ .shadow_sp = fake_shadow });
	check(!stats_now().stacks);
	return check_summary();
}

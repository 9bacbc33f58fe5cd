// SPDX-License-Identifier: MIT
/*
 * Users of the function graph: coming, going, and the code that each has.
 *
 *	site -> entry trampoline ----> entryfunc; plants the user's return stub
 *	        (of the user alone)
 *	function's return -> stub ---> retfunc; back to the true caller
 *
 * A return stub may be planted in threads that sleep for ever, so it is not freed
 * with its user: its call becomes a nop, and both stub and number are free when no
 * frame of the user is left. Numbers, not pointers, are what frames have: shared ones
 * at once, those of one user when it goes.
 *
 * All under ftrace_mutex.
 */
#include "base/errno.h"
#include "base/host.h"
#include "base/print.h"
#include "core/change.h"
#include "core/fgraph_stack.h"
#include "core/fgraph_users.h"
#include "core/hash.h"
#include "core/lock.h"
#include "core/quiesce.h"
#include "patch/code_pool.h"
#include "patch/site.h"
#include "patch/text_poke.h"

#define MAX_STUB_BYTES	128
#define ALLOWED_FLAGS	(FTRACE_OPS_FL_ASSISTS | FTRACE_OPS_FL_PERMANENT)

/* Weak: an image without any has no table. */
extern const unsigned long __start_nograph_functions[] __weak;
extern const unsigned long __stop_nograph_functions[] __weak;

static struct ftrace_hash *never;
struct fgraph_user fgraph_users[FGRAPH_MAX_USERS];

/* ---- functions that never belong to a user ---------------------------------- */

bool fgraph_never(unsigned long ip)
{
	return !hash_is_empty(never) && hash_has(never, ip);
}

int fgraph_init(void)
{
	const unsigned long *fn = __start_nograph_functions;
	struct ftrace_hash *hash;
	struct dyn_ftrace *rec;

	if (fn == __stop_nograph_functions)
		return 0;
	hash = hash_copy(NULL, (u32)(__stop_nograph_functions - fn));
	if (!hash)
		return -ENOMEM;
	for (; fn < __stop_nograph_functions; fn++) {
		rec = site_of_function(*fn);
		if (rec && !hash_has(hash, rec->ip))
			hash_add(hash, rec->ip);
	}
	never = hash;
	return 0;
}

/* ---- generated code --------------------------------------------------------- */

static struct fgraph_spec spec_of(struct fgraph_ops *gops)
{
	const struct code_block *stub = fgraph_users[gops->index].stub;

	return (struct fgraph_spec){
		.entryfunc = (unsigned long)gops->entryfunc,
		.retfunc = (unsigned long)gops->retfunc,
		.gops = (unsigned long)gops,
		.op = (unsigned long)&gops->ops,
		.return_stub = stub ? stub->start : 0,
		.index = gops->index,
	};
}

bool fgraph_is_alone(const struct trampoline_spec *spec)
{
	return spec->nr_calls == 1 && !spec->flags && !spec->direct && !spec->calls[0].flags &&
	       spec->calls[0].func == (unsigned long)fgraph_enter;
}

int fgraph_generate(const struct trampoline_spec *trampoline, unsigned long at, u8 *code, size_t room,
		    struct trampoline_frame *frame)
{
	struct ftrace_ops *op = (struct ftrace_ops *)trampoline->calls[0].arg;
	struct fgraph_spec spec = spec_of(container_of(op, struct fgraph_ops, ops));
	int size = spec.return_stub ? arch_fgraph_generate_entry(&spec, at, code, room, frame) : -ERANGE;

	/* Without a stub, or handlers out of reach of a direct call: by way of fgraph_enter(), like several users. */
	return size == -ERANGE ? arch_trampoline_generate(trampoline, at, code, room, frame) : size;
}

/* With no room for it, or its handler out of reach, the user has none. */
static int make_stub(struct fgraph_ops *gops, struct fgraph_user *user)
{
	struct fgraph_spec spec = spec_of(gops);
	u8 code[MAX_STUB_BYTES];
	int size;

	user->stub = code_pool_alloc(MAX_STUB_BYTES, "return_to_handler");
	if (!user->stub)
		return 0;
	size = arch_fgraph_generate_return(&spec, user->stub->start, code, sizeof(code), &user->call);
	if (size < 0) {
		code_pool_free(user->stub);
		user->stub = NULL;
		return size == -ERANGE ? 0 : size;
	}
	code_pool_write(user->stub, code, (size_t)size);
	user->stub->flags |= CODE_RETURN;
	return 0;
}

/* ---- leaving ---------------------------------------------------------------- */

/*
 * Its call becomes a nop in the batch that takes the user off its sites: either both are
 * done or none. Frames of the user go on returning through the stub, and nobody is called.
 */
static int silence_stub(struct ftrace_ops *op)
{
	const struct fgraph_user *user = &fgraph_users[container_of(op, struct fgraph_ops, ops)->index];
	unsigned long call;
	u8 nop[ARCH_INSN_BYTES];

	if (!user->stub)
		return 0;
	call = user->stub->start + user->call;
	arch_insn_nop(nop);
	return text_poke_queue(call, (const u8 *)call, nop, sizeof(nop));
}

/*
 * All of it but its first address, which may be what is planted. No handler returns there,
 * and who stands there calls none: the call is a nop by now, or finds that the user left.
 */
static struct address_range inside(unsigned long start, unsigned long end)
{
	return (struct address_range){ start + 1, end };
}

/*
 * Its return handler is called by its stub, or for one of several users: also when
 * another user's call closes frames early.
 */
static void wait_for_handlers(const struct fgraph_user *user)
{
	struct address_range ranges[3], calls;
	unsigned int n = 0;

	ranges[n++] = inside((unsigned long)return_to_handler, (unsigned long)return_to_handler_end);
	if (address_range_of((unsigned long)fgraph_call_returns, &calls))
		ranges[n++] = inside(calls.start, calls.end);
	if (user->stub)
		ranges[n++] = inside(user->stub->start, user->stub->start + user->stub->size);
	quiesce(ranges, n);
}

static void free_number(struct fgraph_user *user)
{
	if (user->stub)
		code_pool_free(user->stub);
	*user = (struct fgraph_user){ 0 };
}

/* Numbers of users that are gone and have left no frame behind. */
static void reap(void)
{
	for (unsigned int i = 0; i < FGRAPH_MAX_USERS; i++) {
		struct fgraph_user *user = &fgraph_users[i];

		if (!user->gone || fgraph_stacks_have(i))
			continue;
		/* One that has taken its frame down may stand at the stub's last instruction. */
		wait_for_handlers(user);
		free_number(user);
	}
}

/* ---- coming and going ------------------------------------------------------- */

static bool is_registered(const struct fgraph_ops *gops)
{
	return gops->index < FGRAPH_MAX_USERS && fgraph_users[gops->index].gops == gops;
}

static struct fgraph_user *free_user(void)
{
	reap();
	for (unsigned int i = 0; i < FGRAPH_MAX_USERS; i++)
		if (!fgraph_users[i].gops && !fgraph_users[i].gone)
			return &fgraph_users[i];
	pr_err("function graph: no more than %u users at once\n", FGRAPH_MAX_USERS);
	return NULL;
}

/* A handler that has a site itself would be hooked and call itself. */
static bool is_traceable(unsigned long handler)
{
	return handler && site_of_function(handler);
}

/* Off its sites and called by its stub no more. What goes on may still be in a handler. */
static void let_handlers_end(struct ftrace_ops *op)
{
	struct fgraph_ops *gops = container_of(op, struct fgraph_ops, ops);
	struct fgraph_user *user = &fgraph_users[gops->index];
	bool has_frames;

	WRITE_ONCE(user->gops, NULL);
	user->gone = true;
	has_frames = fgraph_stacks_number(gops->index, (unsigned long)gops);
	wait_for_handlers(user);
	/* As it came to us. */
	op->func = NULL;
	op->flags = user->flags | (op->flags & FTRACE_OPS_FL_ENABLED);
	if (!has_frames)
		free_number(user);
}

static int register_locked(struct fgraph_ops *gops)
{
	struct ftrace_ops *op = &gops->ops;
	struct ftrace_change change = { .ops = &op, .nr_ops = 1, .is = true };
	struct fgraph_user *user;
	int err;

	if (is_registered(gops))
		return -EBUSY;
	if (op->flags & ~ALLOWED_FLAGS)
		return -EINVAL;
	user = free_user();
	if (!user)
		return -ENOSPC;
	err = fgraph_stacks_make();
	if (err)
		return err;
	gops->index = user - fgraph_users;
	err = make_stub(gops, user);
	if (err)
		return err;
	user->flags = op->flags;
	if (is_traceable((unsigned long)gops->entryfunc) || is_traceable((unsigned long)gops->retfunc))
		op->flags |= FTRACE_OPS_FL_RECURSION;
	op->flags |= FTRACE_OPS_FL_GRAPH;
	op->func = fgraph_enter;
	user->gops = gops;
	err = ftrace_register_locked(&change);
	if (err)
		let_handlers_end(op);
	return err;
}

int register_ftrace_graph(struct fgraph_ops *gops)
{
	int err;

	if (!gops || (!gops->entryfunc && !gops->retfunc))
		return -EINVAL;
	if (!arch_fgraph_supported())
		return -EOPNOTSUPP;
	err = ftrace_lock();
	if (err)
		return err;
	err = register_locked(gops);
	ftrace_unlock();
	return err;
}

static int unregister_with(struct ftrace_ops *op, int (*unregister)(struct ftrace_change *c))
{
	struct ftrace_change change = { .ops = &op, .nr_ops = 1, .was = true, .also = silence_stub,
		.left = let_handlers_end };

	return unregister(&change);
}

int fgraph_unregister_claimed(struct ftrace_ops *op)
{
	return unregister_with(op, ftrace_unregister_claimed);
}

int unregister_ftrace_graph(struct fgraph_ops *gops)
{
	int err;

	if (!gops)
		return -EINVAL;
	err = ftrace_lock();
	if (err)
		return err;
	err = is_registered(gops) ? unregister_with(&gops->ops, ftrace_unregister_locked) : -ENOENT;
	ftrace_unlock();
	return err;
}

/* ---- questions -------------------------------------------------------------- */

bool fgraph_in_return_code(unsigned long pc)
{
	const struct code_block *block;

	if (pc >= (unsigned long)return_to_handler && pc < (unsigned long)return_to_handler_end)
		return true;
	block = code_pool_find(pc);
	return block && (block->flags & CODE_RETURN);
}

bool fgraph_is_planted(unsigned long pc)
{
	const struct code_block *block;

	if (pc == (unsigned long)return_to_handler)
		return true;
	block = code_pool_find(pc);
	return block && (block->flags & CODE_RETURN) && pc == block->start;
}

void fgraph_stats(struct fgraph_stats *stats)
{
	*stats = fgraph_counts;
	stats->stacks = fgraph_stacks_count();
	stats->users = 0;
	stats->leaving = 0;
	for (unsigned int i = 0; i < FGRAPH_MAX_USERS; i++) {
		stats->users += !!fgraph_users[i].gops;
		stats->leaving += !!fgraph_users[i].gone;
	}
}

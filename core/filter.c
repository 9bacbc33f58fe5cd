// SPDX-License-Identifier: MIT
/*
 * Which functions an ops is called for: lists of site addresses, chosen by name,
 * glob or address.
 *
 * A pattern is looked up as a whole before a list changes, so an error leaves
 * the list as it was. Lists of a registered ops are replaced, never changed.
 */
#include "base/atomic.h"
#include "base/bug.h"
#include "base/errno.h"
#include "base/host.h"
#include "base/kallsyms.h"
#include "base/print.h"
#include "core/change.h"
#include "core/ftrace.h"
#include "core/glob.h"
#include "core/hash.h"
#include "core/lock.h"
#include "core/names.h"
#include "patch/site.h"

enum filter_list { FILTER, NOTRACE };

/* A pattern after look-up: the entries from..from+nr of the index that @glob takes. */
struct selection {
	const struct site_name *from;
	u32 nr;
	const char *glob;		/* NULL: all of them */
	struct site_name one;		/* when it is an address */
};

/* ---- look-up ---------------------------------------------------------------- */

static int not_traceable(const char *what, const char *why)
{
	pr_err("filter: %s: %s\n", what, why);
	return -EINVAL;
}

static int digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	c |= 0x20;
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static bool is_address(const char *text)
{
	return text[0] == '0' && (text[1] | 0x20) == 'x';
}

/* False when it is no number or has more bits than an address. */
static bool parse_address(const char *text, unsigned long *addr)
{
	const char *p = text + 2;

	*addr = 0;
	for (; *p; p++) {
		if (digit(*p) < 0 || *addr >> (8 * sizeof(*addr) - 4))
			return false;
		*addr = *addr << 4 | (unsigned long)digit(*p);
	}
	return p > text + 2;
}

/* The traceable record of a site or function address. */
static struct dyn_ftrace *traceable(unsigned long addr)
{
	struct dyn_ftrace *rec = site_find(addr);

	if (!rec)
		rec = site_of_function(addr);
	return rec && !(rec->flags & FTRACE_FL_UNREACHABLE) ? rec : NULL;
}

static void select_one(struct selection *sel, const struct dyn_ftrace *rec)
{
	sel->one.ip = rec->ip;
	sel->from = &sel->one;
	sel->nr = 1;
}

static int select_address(struct selection *sel, const char *text)
{
	const struct dyn_ftrace *rec;
	unsigned long addr;

	if (!parse_address(text, &addr))
		return not_traceable(text, "not an address");
	rec = traceable(addr);
	if (!rec)
		return not_traceable(text, "no traceable function there");
	select_one(sel, rec);
	return 0;
}

static int select_name(struct selection *sel, const char *name)
{
	const struct dyn_ftrace *rec;
	unsigned long addr;

	sel->from = names_find(name, &sel->nr);
	if (sel->nr)
		return 0;
	/* One name of a function that has several. */
	addr = kallsyms_address(name);
	rec = addr ? traceable(addr) : NULL;
	if (!rec)
		return not_traceable(name, addr ? "function is not traceable" : "no such function");
	select_one(sel, rec);
	return 0;
}

static int select_glob(struct selection *sel, const char *glob)
{
	const char *error = glob_error(glob);

	if (error) {
		pr_err("filter: malformed pattern '%s': %s\n", glob, error);
		return -EINVAL;
	}
	sel->glob = glob;
	sel->from = names_get(&sel->nr);
	return 0;
}

static int look_up(struct selection *sel, const char *pattern)
{
	int err = names_init();

	if (err)
		return err;
	if (is_address(pattern))
		return select_address(sel, pattern);
	if (!*pattern || glob_is_pattern(pattern))
		return select_glob(sel, pattern);
	return select_name(sel, pattern);
}

/* Add what is selected to @into when there is one. Return: how many it takes. */
static u32 take(const struct selection *sel, struct ftrace_hash *into)
{
	u32 i, n = 0;

	for (i = 0; i < sel->nr; i++) {
		if (sel->glob && !glob_match(sel->glob, sel->from[i].name))
			continue;
		if (into)
			hash_add(into, sel->from[i].ip);
		n++;
	}
	return n;
}

/* ---- change ------------------------------------------------------------------- */

static struct ftrace_hash **list_of(struct ftrace_ops *ops, enum filter_list which)
{
	return which == FILTER ? &ops->filter : &ops->excluded;
}

/* Give an ops another list; on success the old one is freed, on an error @new is. */
static int replace_list(struct ftrace_ops *ops, enum filter_list which, struct ftrace_hash *new)
{
	struct ftrace_hash **list = list_of(ops, which);
	struct ftrace_change change = { .ops = &ops, .nr_ops = 1, .was = true, .is = true,
		.filter = ops->filter, .excluded = ops->excluded };
	int err;

	if (!(ops->flags & FTRACE_OPS_FL_ENABLED)) {
		host_free(*list);
		*list = new;
		return 0;
	}
	if (ops->flags & FTRACE_OPS_FL_PERMANENT) {
		host_free(new);
		return -EBUSY;
	}
	*(which == FILTER ? &change.filter : &change.excluded) = new;
	err = ftrace_change_run(&change);
	if (err)
		host_free(new);
	return err;
}

static int add_selection(struct ftrace_ops *ops, enum filter_list which,
			 const struct selection *sel, bool reset)
{
	struct ftrace_hash *old = *list_of(ops, which), *new;
	u32 n = take(sel, NULL);
	int err;

	if (!n)
		return -ENOENT;
	/* Nobody reads the list of an ops that is not registered: no copy for each pattern. */
	if (!(ops->flags & FTRACE_OPS_FL_ENABLED) && !reset && hash_has_room(old, n)) {
		take(sel, old);
		return n;
	}
	new = hash_copy(reset ? NULL : old, n);
	if (!new)
		return -ENOMEM;
	take(sel, new);
	err = replace_list(ops, which, new);
	return err ? err : (int)n;
}

static int set_list(struct ftrace_ops *ops, enum filter_list which, const char *pattern,
		    bool reset)
{
	struct selection sel = { .glob = NULL };
	int ret;

	if (!ops || (!pattern && !reset))
		return -EINVAL;
	ret = ftrace_lock();
	if (ret)
		return ret;
	if (!pattern) {
		ret = replace_list(ops, which, NULL);
	} else {
		ret = look_up(&sel, pattern);
		if (!ret)
			ret = add_selection(ops, which, &sel, reset);
	}
	ftrace_unlock();
	return ret;
}

int ftrace_set_filter(struct ftrace_ops *ops, const char *pattern, bool reset)
{
	return set_list(ops, FILTER, pattern, reset);
}

int ftrace_set_notrace(struct ftrace_ops *ops, const char *pattern, bool reset)
{
	return set_list(ops, NOTRACE, pattern, reset);
}

/* A copy without one address, which may not be the last: an empty list means all functions. */
static int copy_without(const struct ftrace_hash *old, unsigned long ip, struct ftrace_hash **new)
{
	u32 i;

	if (hash_is_empty(old) || !hash_has(old, ip))
		return -ENOENT;
	if (old->nr == 1)
		return -EINVAL;
	*new = hash_copy(NULL, old->nr - 1);
	if (!*new)
		return -ENOMEM;
	for (i = 0; i < hash_slots(old); i++) {
		if (old->ips[i] && old->ips[i] != ip)
			hash_add(*new, old->ips[i]);
	}
	return 0;
}

static int remove_ip(struct ftrace_ops *ops, unsigned long ip, bool reset)
{
	struct ftrace_hash *new;
	int err = copy_without(reset ? NULL : ops->filter, ip, &new);

	return err ? err : replace_list(ops, FILTER, new);
}

int ftrace_set_filter_ip(struct ftrace_ops *ops, unsigned long ip, bool remove, bool reset)
{
	struct selection sel = { .glob = NULL };
	const struct dyn_ftrace *rec;
	int ret;

	if (!ops)
		return -EINVAL;
	ret = ftrace_lock();
	if (ret)
		return ret;
	rec = traceable(ip);
	if (!rec) {
		ret = -EINVAL;
	} else if (remove) {
		ret = remove_ip(ops, rec->ip, reset);
	} else {
		select_one(&sel, rec);
		ret = add_selection(ops, FILTER, &sel, reset);
	}
	ftrace_unlock();
	return ret > 0 ? 0 : ret;
}

/* The records of @nr addresses, all or none. */
static int resolve_ips(struct site_name *names, const unsigned long *ips, u32 nr)
{
	u32 i;

	for (i = 0; i < nr; i++) {
		const struct dyn_ftrace *rec = traceable(ips[i]);

		if (!rec)
			return -EINVAL;
		names[i].ip = rec->ip;
	}
	return 0;
}

int ftrace_set_filter_ips(struct ftrace_ops *ops, const unsigned long *ips, unsigned int nr,
			  bool reset)
{
	struct selection sel = { .nr = nr };
	struct site_name *names;
	int ret;

	if (!ops || !nr)
		return -EINVAL;
	ret = ftrace_lock();
	if (ret)
		return ret;
	names = host_alloc(nr * sizeof(*names));
	sel.from = names;
	ret = names ? resolve_ips(names, ips, nr) : -ENOMEM;
	if (!ret)
		ret = add_selection(ops, FILTER, &sel, reset);
	host_free(names);
	ftrace_unlock();
	return ret > 0 ? 0 : ret;
}

void ftrace_free_filter(struct ftrace_ops *ops)
{
	if (WARN_ON(ops->flags & FTRACE_OPS_FL_ENABLED))
		return;
	host_free(ops->filter);
	host_free(ops->excluded);
	ops->filter = NULL;
	ops->excluded = NULL;
}

bool ftrace_ops_test(const struct ftrace_ops *ops, unsigned long ip)
{
	return hash_pair_wants(smp_load_acquire(&ops->filter), smp_load_acquire(&ops->excluded), ip);
}

// SPDX-License-Identifier: MIT
/*
 * Which records a change touches, and who comes to each of them.
 *
 * An ops with a filter names its records: pairs of record and ops, brought in
 * order of records. An ops without one asks for them all: then every record
 * is looked at, and those pairs besides.
 */
#include "base/errno.h"
#include "base/host.h"
#include "core/change.h"
#include "core/dispatch.h"
#include "core/fgraph_users.h"
#include "patch/site.h"

struct pair {
	u32 site;
	u32 op;		/* its place in the change */
};

struct candidates {
	struct pair *pairs;
	u32 nr_pairs;
	u32 *wide;	/* places of the ops that may want any record */
	u32 nr_wide;
};

static bool wants_before(const struct ftrace_change *c, const struct ftrace_ops *op, unsigned long ip)
{
	return c->was && hash_pair_wants(op->filter, op->excluded, ip);
}

static bool wants_after(const struct ftrace_change *c, const struct ftrace_ops *op, unsigned long ip)
{
	return c->is && hash_pair_wants(filter_after(c, op), excluded_after(c, op), ip);
}

static bool changes_at(const struct ftrace_change *c, const struct ftrace_ops *op, unsigned long ip)
{
	if (ops_is_graph(op) && fgraph_never(ip))
		return false;
	return wants_before(c, op, ip) != wants_after(c, op, ip);
}

/* ---- candidates ----------------------------------------------------------------- */

static bool is_wide(const struct ftrace_change *c, const struct ftrace_ops *op)
{
	return (c->was && hash_is_empty(op->filter)) || (c->is && hash_is_empty(filter_after(c, op)));
}

static u32 most_pairs(const struct ftrace_change *c, const struct ftrace_ops *op)
{
	return (c->was ? op->filter->nr : 0) + (c->is ? filter_after(c, op)->nr : 0);
}

static void add_pairs(const struct ftrace_change *c, u32 op, const struct ftrace_hash *hash,
		      const struct ftrace_hash *done, struct candidates *found)
{
	for (u32 i = 0; i < hash_slots(hash); i++) {
		const struct dyn_ftrace *rec;

		if (!hash->ips[i] || (done && hash_has(done, hash->ips[i])))
			continue;
		rec = site_find(hash->ips[i]);
		if (changes_at(c, c->ops[op], rec->ip))
			found->pairs[found->nr_pairs++] = (struct pair){ rec - site_at(0), op };
	}
}

#define DIGIT_BITS	8u
#define DIGITS		(1u << DIGIT_BITS)

/* One pass by a digit of the record's number; equal ones keep their order. */
static void sort_by_digit(const struct pair *from, struct pair *to, u32 nr, unsigned int shift)
{
	u32 starts[DIGITS] = { 0 }, at = 0, n;

	for (u32 i = 0; i < nr; i++)
		starts[from[i].site >> shift & (DIGITS - 1)]++;
	for (unsigned int d = 0; d < DIGITS; d++) {
		n = starts[d];
		starts[d] = at;
		at += n;
	}
	for (u32 i = 0; i < nr; i++)
		to[starts[from[i].site >> shift & (DIGITS - 1)]++] = from[i];
}

/* Linear, and in order of ops for each record. An even number of passes ends where it began. */
static void sort_pairs(struct candidates *found, struct pair *spare)
{
	for (unsigned int shift = 0; shift < 32 && nr_sites() >> shift; shift += 2 * DIGIT_BITS) {
		sort_by_digit(found->pairs, spare, found->nr_pairs, shift);
		sort_by_digit(spare, found->pairs, found->nr_pairs, shift + DIGIT_BITS);
	}
}

static int find_candidates(const struct ftrace_change *c, struct candidates *found)
{
	u32 most = 0, i;

	found->wide = host_alloc(c->nr_ops * sizeof(*found->wide));
	if (!found->wide)
		return -ENOMEM;
	for (i = 0; i < c->nr_ops; i++) {
		if (is_wide(c, c->ops[i]))
			found->wide[found->nr_wide++] = i;
		else
			most += most_pairs(c, c->ops[i]);
	}
	if (!most)
		return 0;
	found->pairs = host_alloc(2 * most * sizeof(*found->pairs));
	if (!found->pairs)
		return -ENOMEM;
	for (i = 0; i < c->nr_ops; i++) {
		const struct ftrace_ops *op = c->ops[i];

		if (is_wide(c, op))
			continue;
		if (c->was)
			add_pairs(c, i, op->filter, NULL, found);
		if (c->is)
			add_pairs(c, i, filter_after(c, op), c->was ? op->filter : NULL, found);
	}
	sort_pairs(found, found->pairs + most);
	return 0;
}

/* ---- record by record --------------------------------------------------------------- */

/* Who changes at @rec, into c->joining: the wide ones and those of @pairs, in order. */
static u32 gather(struct ftrace_change *c, const struct candidates *found,
		  const struct dyn_ftrace *rec, const struct pair *pairs, u32 nr_pairs)
{
	u32 n = 0, w = 0, p = 0;

	while (w < found->nr_wide || p < nr_pairs) {
		bool wide = p == nr_pairs || (w < found->nr_wide && found->wide[w] < pairs[p].op);
		struct ftrace_ops *op = c->ops[wide ? found->wide[w] : pairs[p].op];

		if (!wide || changes_at(c, op, rec->ip))
			c->joining[n++] = op;
		w += wide;
		p += !wide;
	}
	return n;
}

static int touch(struct ftrace_change *c, struct dyn_ftrace *rec, u32 nr_changing)
{
	bool joins = c->is && wants_after(c, c->joining[0], rec->ip);
	struct ops_set *set;
	int err;

	err = change_transition(c, ops_set_at(rec->set), joins ? nr_changing : 0, &set);
	if (err)
		return err;
	/* What rolls back puts one use for each of these. */
	c->touched[c->nr_touched++] = (struct touched_site){ rec - site_at(0), set ? set->index : 0 };
	return set && !set->target ? dispatch_current()->target(set) : 0;
}

static u32 pairs_of_first(const struct pair *pairs, u32 nr)
{
	u32 n = 0;

	while (n < nr && pairs[n].site == pairs[0].site)
		n++;
	return n;
}

static int visit_records(struct ftrace_change *c, const struct candidates *found)
{
	u32 site = 0, at = 0, n, changing;
	int err = 0;

	while (!err && site < nr_sites()) {
		struct dyn_ftrace *rec;

		if (!found->nr_wide) {
			if (at == found->nr_pairs)
				break;
			site = found->pairs[at].site;
		}
		rec = site_at(site);
		n = 0;
		if (at < found->nr_pairs && found->pairs[at].site == site)
			n = pairs_of_first(found->pairs + at, found->nr_pairs - at);
		changing = rec->flags & FTRACE_FL_UNREACHABLE ? 0 :
			   gather(c, found, rec, found->pairs + at, n);
		if (changing)
			err = touch(c, rec, changing);
		at += n;
		site++;
	}
	return err;
}

/* As many as the largest set may get. */
static int make_room(struct ftrace_change *c, u32 nr_touched)
{
	c->touched = host_alloc((nr_touched + 1) * sizeof(*c->touched));
	c->scratch = host_alloc((ops_set_largest() + c->nr_ops) * sizeof(*c->scratch));
	c->joining = host_alloc(c->nr_ops * sizeof(*c->joining));
	return c->touched && c->scratch && c->joining ? 0 : -ENOMEM;
}

int change_prepare_sites(struct ftrace_change *c)
{
	struct candidates found = { .pairs = NULL };
	int err = find_candidates(c, &found);

	if (!err)
		err = make_room(c, found.nr_wide ? nr_sites() : found.nr_pairs);
	if (!err)
		err = visit_records(c, &found);
	host_free(found.pairs);
	host_free(found.wide);
	return err;
}

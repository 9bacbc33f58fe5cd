// SPDX-License-Identifier: MIT
/* The index of traceable functions by name. Records do not change after boot, nor does it. */
#include "core/names.h"
#include "base/errno.h"
#include "base/host.h"
#include "base/kallsyms.h"
#include "base/sort.h"
#include "base/string.h"
#include "patch/site.h"

static struct site_name *names;
static u32 nr_names;

static int compare_names(const void *a, const void *b)
{
	const struct site_name *x = a, *y = b;
	int order = strcmp(x->name, y->name);

	if (order)
		return order;
	return x->ip < y->ip ? -1 : x->ip > y->ip;
}

static void fill(void)
{
	const struct dyn_ftrace *rec;
	struct kallsym sym;
	u32 i;

	for (i = 0; i < nr_sites(); i++) {
		rec = site_at(i);
		if ((rec->flags & FTRACE_FL_UNREACHABLE) || !kallsyms_lookup(rec->ip, &sym))
			continue;
		names[nr_names].name = sym.name;
		names[nr_names].ip = rec->ip;
		nr_names++;
	}
}

int names_init(void)
{
	if (names)
		return 0;
	names = host_alloc((nr_sites() + 1) * sizeof(*names));
	if (!names)
		return -ENOMEM;
	fill();
	sort(names, nr_names, sizeof(*names), compare_names);
	return 0;
}

const struct site_name *names_get(u32 *nr)
{
	*nr = nr_names;
	return names;
}

/* First entry whose name is not below @name, or above it when @above. */
static u32 bound(const char *name, bool above)
{
	u32 low = 0, high = nr_names, middle;
	int order;

	while (low < high) {
		middle = low + (high - low) / 2;
		order = strcmp(names[middle].name, name);
		if (order < 0 || (above && order == 0))
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

const struct site_name *names_find(const char *name, u32 *nr)
{
	u32 first = bound(name, false);

	*nr = bound(name, true) - first;
	return names + first;
}

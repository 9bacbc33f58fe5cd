// SPDX-License-Identifier: MIT
/*
 * How batches are written, as the user chose: method, touch, limit, completion. Asked once a
 * batch; a choice holds from the next one on.
 */
#include "patch/text_poke.h"

#include "base/bug.h"
#include "base/errno.h"
#include "base/host.h"
#include "base/string.h"
#include "patch/method.h"

/* ---- method ---- */

static const struct text_poke_method *const all_methods[] = {
	&text_poke_breakpoint, &text_poke_atomic, &text_poke_nosync, &text_poke_stop, &text_poke_local,
};

/* Of these, what this ISA has; the first is the default. */
static const char *const method_names[] = { ARCH_TEXT_METHODS };

static const struct text_poke_method *find_method(const char *name)
{
	for (unsigned int i = 0; i < ARRAY_SIZE(all_methods); i++)
		if (strcmp(all_methods[i]->name, name) == 0)
			return all_methods[i];
	BUG();
}

static const struct text_poke_method *selected;

int text_poke_select(const char *name)
{
	if (strcmp(name, "auto") == 0)
		name = method_names[0];
	for (unsigned int i = 0; i < ARRAY_SIZE(method_names); i++) {
		if (strcmp(name, method_names[i]) != 0)
			continue;
		WRITE_ONCE(selected, find_method(name));
		return 0;
	}
	return -EINVAL;
}

const char *text_poke_method_name(void)
{
	return selected ? selected->name : method_names[0];
}

/* Until other CPUs run there is nobody to keep from anything. */
const struct text_poke_method *text_poke_method(void)
{
	const struct text_poke_method *method = selected ? selected : find_method(method_names[0]);

	if (!host_smp_started())
		return &text_poke_direct;
	if (method->usable && !method->usable())
		return &text_poke_stop;
	return method;
}

/* ---- touch ---- */

static int touch_mode = -1;

void text_poke_set_touch(int mode)
{
	WRITE_ONCE(touch_mode, mode);
}

bool text_poke_touching(void)
{
	return touch_mode != 0;
}

/* ---- limit ---- */

static unsigned int batch_limit;	/* 0: none */

void text_poke_set_limit(unsigned int nr)
{
	WRITE_ONCE(batch_limit, nr);
}

unsigned int text_poke_limit(void)
{
	return READ_ONCE(batch_limit);
}

/* ---- completion ---- */

static bool completion = true;

void text_poke_set_completion(bool wanted)
{
	WRITE_ONCE(completion, wanted);
}

bool text_poke_completion(void)
{
	return READ_ONCE(completion);
}

/* Of what is no site's nobody knows later what to settle. */
bool text_poke_completing(const struct text_poke_batch *batch)
{
	return text_poke_completion() || (batch->nr_pokes && text_poke_touching());
}

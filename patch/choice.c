// SPDX-License-Identifier: MIT
/*
 * How batches are written, as the user chose: method, touch, limit, completion. Asked once a
 * batch; a choice holds from the next one on.
 */
#include "patch/text_poke.h"

#include "base/errno.h"
#include "base/host.h"
#include "base/string.h"
#include "patch/method.h"

/* ---- method ---- */

/* What this ISA has; the first is the default. */
static const struct text_poke_method *const methods[] = { ARCH_TEXT_METHODS };
static const struct text_poke_method *selected;

const struct text_poke_method *text_poke_method_at(unsigned int n)
{
	return n < ARRAY_SIZE(methods) ? methods[n] : NULL;
}

static const struct text_poke_method *chosen_method(void)
{
	const struct text_poke_method *method = READ_ONCE(selected);

	return method ? method : methods[0];
}

const struct text_poke_method *text_poke_find_method(const char *name)
{
	for (unsigned int i = 0; i < ARRAY_SIZE(methods); i++)
		if (strcmp(name, methods[i]->name) == 0)
			return methods[i];
	return NULL;
}

int text_poke_select(const char *name)
{
	const struct text_poke_method *method = strcmp(name, "auto") ? text_poke_find_method(name) : methods[0];

	if (!method)
		return -EINVAL;
	WRITE_ONCE(selected, method);
	return 0;
}

const char *text_poke_method_name(void)
{
	return chosen_method()->name;
}

/* Until other CPUs run there is nobody to keep from anything. */
const struct text_poke_method *text_poke_method(void)
{
	const struct text_poke_method *method = chosen_method();

	if (!host_smp_started())
		return &text_poke_direct;
	if (method->usable && !method->usable())
		return &text_poke_stop;
	return method;
}

/* ---- touch ---- */

/* Until the host, which knows whether it runs in an emulator, says otherwise. */
static bool touching = true;

void text_poke_set_touch(bool wanted)
{
	WRITE_ONCE(touching, wanted);
}

bool text_poke_touching(void)
{
	return READ_ONCE(touching);
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

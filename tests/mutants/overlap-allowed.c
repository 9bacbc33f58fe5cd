// SPDX-License-Identifier: MIT
/* Mutant: two changes of one batch may overlap. */
#include "base/errno.h"
#include "patch/method.h"

int __real_text_poke_verify(struct text_poke_batch *batch, const struct text_poke_method *method);

int text_poke_verify(struct text_poke_batch *batch, const struct text_poke_method *method)
{
	int error = __real_text_poke_verify(batch, method);

	return error == -EBUSY ? 0 : error;
}

// SPDX-License-Identifier: MIT
/* A thousand static keys with one branch each. */
#pragma once

#define NR_MANY_KEYS	1000

/**
 * many_keys_flip() - change the first @nr keys in one batch
 * @nr: 1 .. NR_MANY_KEYS
 * @delta: 1 or -1: users that each has more
 *
 * Return: 0, or what static_key_begin(), static_key_queue() or static_key_commit() answered.
 */
int many_keys_flip(unsigned int nr, int delta);

/* Run into all branches. Return: how many were on. */
unsigned int many_keys_taken(void);

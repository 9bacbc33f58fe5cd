// SPDX-License-Identifier: MIT
/*
 * Who owns which bytes of text: call sites their instructions, static keys their
 * branches. No byte has two owners.
 *
 * Ownership changes with the bytes: claims are part of a batch, hold from its commit
 * on, and are as before when it fails. Sites own theirs by being records.
 *
 * Sites and keys keep what they have. To give bytes up (text_unclaim()), to yield them
 * (text_owner.yield) and to ask whose they are (text_owner_of()) is for who patches a
 * place for a while: probes, when they come, and a host's own patches through
 * text_poke_queue(). In this tree only tests are such.
 */
#pragma once

#include "base/types.h"

/**
 * struct text_owner - somebody who claims bytes
 * @name: for messages
 * @yield: somebody wants bytes of the claim at @addr: queue the changes that give up what
 *	can be given up, in the open batch; return how many bytes, from @addr on, are still
 *	needed. NULL: all of them. When the batch fails text and claim are as before and nobody
 *	says so: what an owner remembers must follow from text_owner_of().
 */
struct text_owner {
	const char *name;
	unsigned int (*yield)(struct text_owner *owner, unsigned long addr, unsigned int len);
};

/**
 * text_claim() - own bytes of text from the commit of the open batch on
 * @addr: first byte; text or code pool
 * @len: bytes, > 0
 * @owner: whose they are
 *
 * Whoever has some of them is asked to yield. Between text_poke_begin() and
 * text_poke_commit(). Return: 0; -EBUSY when a site or an owner that does not yield has
 * one of them; -EFAULT when they are not text; -EINVAL; -ENOMEM. On an error, which is
 * printed, the batch will not commit.
 */
int __must_check text_claim(unsigned long addr, unsigned int len, struct text_owner *owner);

/**
 * text_unclaim() - give bytes up when the open batch commits
 * @addr: first byte of a claim
 * @owner: whose claim it is
 *
 * Until then they are @owner's for all but claims of the same batch. Return: 0; or -ENOENT, which is
 * printed, and the batch will not commit.
 */
int __must_check text_unclaim(unsigned long addr, struct text_owner *owner);

/**
 * text_owner_of() - whose is this byte now?
 * @addr: any address
 *
 * As it is before the open batch commits; there must be one. Return: the owner,
 * &text_sites for a call site's, NULL for nobody's.
 */
const struct text_owner *text_owner_of(unsigned long addr);

extern const struct text_owner text_sites;

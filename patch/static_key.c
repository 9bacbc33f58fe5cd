// SPDX-License-Identifier: MIT
/*
 * Static keys: counts, and the batches that follow from their changes.
 *
 * What a branch holds is never stored: it follows from the key's count and the
 * entry's bit 0. A commit therefore changes counts only after the text.
 */
#include "patch/static_key.h"
#include "arch/arch.h"
#include "base/bug.h"
#include "base/errno.h"
#include "base/host.h"
#include "base/sort.h"
#include "base/string.h"
#include "linker/sections.h"
#include "patch/claim.h"
#include "patch/method.h"

#define KEY_COUNT_MAX	0x7fffffffU

/* Absent in an image without keys. */
extern struct jump_entry __start_jump_table[] __weak;
extern struct jump_entry __stop_jump_table[] __weak;

static struct host_mutex static_key_mutex;
static struct static_key *queued;	/* keys of the open batch */
static struct static_key_stats stats;
static bool initialised;

static struct static_key *entry_key(const struct jump_entry *entry)
{
	return (struct static_key *)(entry->key & ~1UL);
}

/* Does the entry's branch jump while its key is @on? */
static bool entry_jumps(const struct jump_entry *entry, bool on)
{
	return on != (entry->key & 1);
}

static int encode(const struct jump_entry *entry, bool jump, u8 *insn)
{
	if (jump)
		return arch_insn_jump(insn, entry->code, entry->target);
	arch_insn_nop(insn);
	return 0;
}

/* What the branch holds in two states of its key. */
static int encode_both(const struct jump_entry *entry, bool from, bool to, u8 *old, u8 *new)
{
	int err = encode(entry, entry_jumps(entry, from), old);

	if (!err)
		err = encode(entry, entry_jumps(entry, to), new);
	return err ? text_poke_refuse(entry->code, "a static key's branch that does not reach its target", err) : 0;
}

static int queue_entry(const struct jump_entry *entry, bool from, bool to)
{
	u8 old[ARCH_INSN_BYTES], new[ARCH_INSN_BYTES];
	int err = encode_both(entry, from, to, old, new);

	return err ? err : text_poke_queue(entry->code, old, new, ARCH_INSN_BYTES);
}

static int queue_key(const struct static_key *key, bool from, bool to)
{
	for (u32 i = 0; i < key->nr_entries; i++) {
		int err = queue_entry(&key->entries[i], from, to);

		if (err)
			return err;
	}
	return 0;
}

static bool key_is_on(const struct static_key *key)
{
	return key->enabled > 0;
}

static bool key_will_be_on(const struct static_key *key)
{
	return key->enabled + (u32)key->delta > 0;
}

static bool batch_changes_text(void)
{
	for (const struct static_key *key = queued; key; key = key->next)
		if (key->nr_entries && key_is_on(key) != key_will_be_on(key))
			return true;
	return false;
}

/* Queue every branch that changes; on an error the text batch is closed. */
static int patch_batch(void)
{
	int err = text_poke_begin();

	if (err)
		return err;
	for (const struct static_key *key = queued; key; key = key->next) {
		if (key_is_on(key) == key_will_be_on(key))
			continue;
		err = queue_key(key, key_is_on(key), key_will_be_on(key));
		if (err) {
			text_poke_abort();
			return err;
		}
	}
	return text_poke_commit();
}

/* Empty the batch; counts move only when @apply. */
static void close_batch(bool apply)
{
	struct static_key *key = queued;

	while (key) {
		struct static_key *next = key->next;

		if (apply)
			WRITE_ONCE(key->enabled, key->enabled + (u32)key->delta);
		key->delta = 0;
		key->queued = false;
		key->next = NULL;
		key = next;
	}
	queued = NULL;
	host_mutex_unlock(&static_key_mutex);
}

int static_key_begin(void)
{
	if (!text_poke_allowed() || host_mutex_is_mine(&static_key_mutex))
		return -EBUSY;
	host_mutex_lock(&static_key_mutex);
	return 0;
}

int static_key_queue(struct static_key *key, int delta)
{
	s64 wanted = (s64)key->enabled + key->delta + delta;

	BUG_ON(!host_mutex_is_mine(&static_key_mutex));
	if (wanted > KEY_COUNT_MAX)
		return -EOVERFLOW;
	if (WARN_ON(wanted < 0))
		return -EINVAL;
	key->delta += delta;
	if (!key->queued) {
		key->queued = true;
		key->next = queued;
		queued = key;
	}
	return 0;
}

void static_key_abort(void)
{
	BUG_ON(!host_mutex_is_mine(&static_key_mutex));
	close_batch(false);
}

int static_key_commit(void)
{
	int err = 0;

	BUG_ON(!host_mutex_is_mine(&static_key_mutex));
	if (initialised && batch_changes_text())
		err = patch_batch();
	close_batch(!err);
	return err;
}

static int change_one(struct static_key *key, int delta)
{
	int err = static_key_begin();

	if (err)
		return err;
	err = static_key_queue(key, delta);
	if (err) {
		static_key_abort();
		return err;
	}
	return static_key_commit();
}

int static_key_inc(struct static_key *key)
{
	return change_one(key, 1);
}

int static_key_dec(struct static_key *key)
{
	return change_one(key, -1);
}

static int by_key_then_code(const void *a, const void *b)
{
	const struct static_key *x = entry_key(a), *y = entry_key(b);

	return x == y ? compare_keys(a, b) : x < y ? -1 : 1;
}

static bool entry_is_in_text(const struct jump_entry *entry)
{
	return entry->code >= (unsigned long)__text_start &&
	       entry->code + ARCH_INSN_BYTES <= (unsigned long)__code_pool_start;
}

static struct text_owner owner = { .name = "a static key" };

/* In order of code, so that each claim is the last of the table. */
static int claim_branches(struct jump_entry *entries, unsigned int nr)
{
	int err = 0;

	sort(entries, nr, sizeof(*entries), compare_keys);
	for (unsigned int i = 0; i < nr && !err; i++)
		if (entry_key(&entries[i]))
			err = text_claim(entries[i].code, ARCH_INSN_BYTES, &owner);
	return err;
}

/* Entries of discarded code sort to key 0 and belong to nobody. */
static void refuse_stray_entries(struct jump_entry *entries, unsigned int nr)
{
	for (unsigned int i = 0; i < nr; i++) {
		if (entry_is_in_text(&entries[i]))
			continue;
		entries[i].key = 0;
		stats.refused++;
	}
}

/* Also of keys that do not change now: what is wrong is said at boot, not by their first user. */
static int check_branches(const struct static_key *key)
{
	u8 compiled[ARCH_INSN_BYTES], other[ARCH_INSN_BYTES];

	for (u32 i = 0; i < key->nr_entries; i++) {
		const struct jump_entry *entry = &key->entries[i];
		int err = encode_both(entry, key->initially, !key->initially, compiled, other);

		if (err)
			return err;
		if (memcmp((const void *)entry->code, compiled, sizeof(compiled)))
			return text_poke_refuse(entry->code, "a static key's branch is not as compiled", -EINVAL);
	}
	return 0;
}

/* Give each key its run of the sorted table, and bring its text to its count. */
static int adopt_entries(struct jump_entry *entries, unsigned int nr)
{
	for (unsigned int i = 0; i < nr;) {
		struct static_key *key = entry_key(&entries[i]);
		unsigned int first = i;
		int err;

		while (i < nr && entry_key(&entries[i]) == key)
			i++;
		if (!key)
			continue;
		key->entries = &entries[first];
		key->nr_entries = i - first;
		stats.keys++;
		err = check_branches(key);
		if (!err && key_is_on(key) != key->initially)
			err = queue_key(key, key->initially, key_is_on(key));
		if (err)
			return err;
	}
	return 0;
}

int static_keys_init(void)
{
	struct jump_entry *entries = __start_jump_table;
	unsigned int nr = (unsigned int)(__stop_jump_table - __start_jump_table);
	int err;

	/* Entries stand side by side: an alignment of their own would leave holes. */
	BUG_ON(((unsigned long)__stop_jump_table - (unsigned long)entries) % sizeof(*entries));
	stats.entries = nr;
	refuse_stray_entries(entries, nr);
	err = text_poke_begin();
	if (err)
		return err;
	err = claim_branches(entries, nr);
	sort(entries, nr, sizeof(*entries), by_key_then_code);
	if (!err)
		err = adopt_entries(entries, nr);
	if (err) {
		text_poke_abort();
		return err;
	}
	err = text_poke_commit();
	initialised = !err;
	return err;
}

void static_key_stats(struct static_key_stats *out)
{
	*out = stats;
}

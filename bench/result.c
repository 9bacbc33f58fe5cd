// SPDX-License-Identifier: MIT
/* Results are built whole and printed at once, so that lines of other CPUs do not fall between. */
#include "bench/result.h"

#include "base/bug.h"
#include "base/host.h"
#include "base/print.h"
#include "kernel/cmdline.h"

const char *hundredths(char *buf, size_t size, u64 value)
{
	format(buf, size, "%llu.%02u", (unsigned long long)(value / 100), (unsigned int)(value % 100));
	return buf;
}

static int print_param(char *buf, size_t size, const struct result_param *p, bool first)
{
	const char *comma = first ? "" : ",";

	if (p->text)
		return format(buf, size, "%s\"%s\":\"%s\"", comma, p->key, p->text);
	return format(buf, size, "%s\"%s\":%lu", comma, p->key, p->number);
}

void result_print(const char *bench, const struct result_param *params,
		  const char *metric, const char *unit, const struct figure *figure)
{
	char value[24], low[24], high[24];
	char line[480];
	size_t at;

	if (!cmdline_get("measure", NULL))
		return;
	at = (size_t)format(line, sizeof(line), "@json {\"bench\":\"%s\",\"params\":{", bench);
	for (const struct result_param *p = params; p->key; p++)
		at += (size_t)print_param(line + at, sizeof(line) - at, p, p == params);
	at += (size_t)format(line + at, sizeof(line) - at,
			     "},\"metric\":\"%s\",\"unit\":\"%s\",\"value\":%s,\"min\":%s,\"max\":%s,\"samples\":%u}\n",
			     metric, unit,
			     hundredths(value, sizeof(value), figure->median),
			     hundredths(low, sizeof(low), figure->min),
			     hundredths(high, sizeof(high), figure->max), figure->samples);
	BUG_ON(at >= sizeof(line));
	host_write(line, at);
}

// SPDX-License-Identifier: MIT
/*
 * Calibration. A host that is busy may stop us between two reads for longer than
 * the whole window. So a sample is the reads between two reads of the time stamp
 * counter, the narrowest of several; and of three windows the median counts: the
 * 16-bit counter may have wrapped in one where we were away for long.
 */
#include "boards/drivers/pit.h"
#include "base/errno.h"
#include "base/sort.h"

#include <port/cpu.h>
#include <port/io.h>

#define PIT_HZ		1193182
#define PIT_DATA	0x42
#define PIT_COMMAND	0x43
#define  LATCH		0x80
#define  COUNT_DOWN	0xb0	/* channel 2, low then high byte, mode 0: on through 0xffff */
#define PORT_B		0x61
#define  PORT_B_GATE	0x01
#define  PORT_B_SPEAKER	0x02

#define WINDOW_TICKS	(PIT_HZ / 100)
#define NR_WINDOWS	3
#define NR_TRIES	24
#define SPINS		2000	/* between looks at the counter: each look is slow */
#define MAX_LOOKS	100000

struct sample {
	u64 tsc, width;
	u32 timer;
	u16 pit;
};

static void pit_start(void)
{
	outb(PORT_B, (inb(PORT_B) & ~PORT_B_SPEAKER) | PORT_B_GATE);
	outb(PIT_COMMAND, COUNT_DOWN);
	outb(PIT_DATA, 0xff);
	outb(PIT_DATA, 0xff);
}

static u16 latched(void)
{
	u16 low = inb(PIT_DATA);

	return low | inb(PIT_DATA) << 8;
}

static struct sample sample_once(u32 (*timer)(void))
{
	struct sample s;
	u64 before = cycles_read();

	outb(PIT_COMMAND, LATCH);
	s.timer = timer();
	s.width = cycles_read() - before;
	s.tsc = before + s.width / 2;
	s.pit = latched();
	return s;
}

static struct sample sample(u32 (*timer)(void))
{
	struct sample best = sample_once(timer);

	for (unsigned int i = 1; i < NR_TRIES; i++) {
		struct sample s = sample_once(timer);

		if (s.width < best.width)
			best = s;
	}
	return best;
}

/* Return: false when the counter stands still. */
static bool wait_ticks(u16 from, u16 ticks)
{
	for (unsigned int look = 0; look < MAX_LOOKS; look++) {
		outb(PIT_COMMAND, LATCH);
		if ((u16)(from - latched()) >= ticks)
			return true;
		for (unsigned int i = 0; i < SPINS; i++)
			barrier();
	}
	return false;
}

static bool measure_window(u32 (*timer)(void), struct pit_measure *m)
{
	struct sample a = sample(timer), b;
	u64 tsc, ticks;

	if (!wait_ticks(a.pit, WINDOW_TICKS))
		return false;
	b = sample(timer);
	ticks = (u16)(a.pit - b.pit);
	tsc = b.tsc - a.tsc;
	if (!ticks || !tsc)
		return false;
	m->tsc_hz = tsc * PIT_HZ / ticks;
	m->timer_hz = (u64)(u32)(a.timer - b.timer) * PIT_HZ / ticks;
	m->uncertainty_ppm = (a.width + b.width) * 1000000 / tsc;
	return true;
}

static int compare_measures(const void *a, const void *b)
{
	u64 x = ((const struct pit_measure *)a)->tsc_hz;
	u64 y = ((const struct pit_measure *)b)->tsc_hz;

	return x < y ? -1 : x > y;
}

int pit_measure(u32 (*timer)(void), struct pit_measure *m)
{
	struct pit_measure windows[NR_WINDOWS];

	pit_start();
	for (unsigned int i = 0; i < NR_WINDOWS; i++)
		if (!measure_window(timer, &windows[i]))
			return -ENODEV;
	sort(windows, NR_WINDOWS, sizeof(windows[0]), compare_measures);
	*m = windows[NR_WINDOWS / 2];
	return 0;
}

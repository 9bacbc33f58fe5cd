// SPDX-License-Identifier: MIT
/*
 * newlib's system calls: a console, a heap, and nothing else.
 *
 * Some builds of newlib call _write(), others write(): both names are there.
 * Errors go to the calling thread's state; newlib's one global errno is left 0,
 * which its wrappers take for "nothing to copy".
 */
#include "kernel/libc.h"

#include <errno.h>
#include <reent.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

#include "base/bug.h"
#include "base/host.h"
#include "base/print.h"
#include "kernel/board.h"
#include "kernel/console.h"
#include "kernel/lock.h"
#include "kernel/mm.h"
#include "kernel/percpu.h"
#include "kernel/port.h"

#define HEAP_ORDER	11	/* 8 MiB, less on a small machine */
#define NO_PARENT_PID	1

static_assert(sizeof(struct _reent) <= LIBC_STATE_BYTES, "room for the library's state");

static struct _reent boot_reent;
static char *heap_now, *heap_end;

void libc_init(void)
{
	unsigned int order = HEAP_ORDER;

	while (order && !heap_now) {
		heap_now = page_alloc_dirty(order);
		if (heap_now)
			heap_end = heap_now + (PAGE_SIZE << order);
		order--;
	}
}

void libc_thread_init(struct thread *t, void *room)
{
	struct _reent *reent = room ? room : &boot_reent;

	_REENT_INIT_PTR(reent);
	t->reent = reent;
	if (!room)
		libc_switch(t);
}

void libc_thread_end(void)
{
	struct _reent *reent = current()->reent;

	if (reent->__sdidinit) {
		fflush(reent->_stdout);
		fflush(reent->_stderr);
	}
}

void libc_thread_free(struct thread *t)
{
	_reclaim_reent(t->reent);
}

static void thread_context_only(void)
{
	BUG_ON(this_cpu()->irq_depth);
}

struct _reent *__getreent(void);
struct _reent *__getreent(void)
{
	thread_context_only();
	return current()->reent;
}

static int fail(int error)
{
	((struct _reent *)current()->reent)->_errno = error;
	return -1;
}

/* malloc calls this with its lock held. */
void *_sbrk(ptrdiff_t increment);
void *_sbrk(ptrdiff_t increment)
{
	char *old = heap_now;

	thread_context_only();
	if (increment > heap_end - heap_now) {
		fail(ENOMEM);
		return (void *)-1;
	}
	heap_now += increment;
	return old;
}

_READ_WRITE_RETURN_TYPE _write(int fd, const void *text, size_t n);
_READ_WRITE_RETURN_TYPE _write(int fd, const void *text, size_t n)
{
	thread_context_only();
	if (fd != STDOUT_FILENO && fd != STDERR_FILENO)
		return fail(EBADF);
	console_write(text, n);
	return n;
}

/* Bytes as they come, at least one. */
_READ_WRITE_RETURN_TYPE _read(int fd, void *buffer, size_t n);
_READ_WRITE_RETURN_TYPE _read(int fd, void *buffer, size_t n)
{
	char *out = buffer;
	int c;

	thread_context_only();
	if (fd != STDIN_FILENO)
		return fail(EBADF);
	if (n == 0)
		return 0;
	console_wait();
	while (n && (c = console_getc()) >= 0) {
		*out++ = c == '\r' ? '\n' : c;
		n--;
	}
	return out - (char *)buffer;
}

int _close(int fd);
int _close(int fd)
{
	return fd >= 0 && fd <= 2 ? 0 : fail(EBADF);
}

off_t _lseek(int fd, off_t offset, int whence);
off_t _lseek(int fd, off_t offset, int whence)
{
	return fail(ESPIPE);
}

int _fstat(int fd, struct stat *st);
int _fstat(int fd, struct stat *st)
{
	*st = (struct stat){ .st_mode = S_IFCHR, .st_blksize = 256 };
	return 0;
}

int _isatty(int fd);
int _isatty(int fd)
{
	return 1;
}

/* abort() and assert() end here. */
int _kill(int pid, int signal);
int _kill(int pid, int signal)
{
	char message[40];

	format(message, sizeof(message), "killed by signal %d", signal);
	host_panic(NULL, message);
}

int _getpid(void);
int _getpid(void)
{
	return NO_PARENT_PID;
}

int _gettimeofday(struct timeval *tv, void *zone);
int _gettimeofday(struct timeval *tv, void *zone)
{
	u64 hz = board_clock_hz(), now = board_clock();

	tv->tv_sec = now / hz;
	tv->tv_usec = now % hz * 1000000 / hz;
	return 0;
}

void _exit(int code)
{
	board_exit(code);
}

/* What start files would bring: constructors and destructors, of which there are none. */
void _init(void);
void _init(void)
{
}

void _fini(void);
void _fini(void)
{
}

#define PLAIN_NAME(name)	__weak __attribute__((alias("_" #name)))

void *sbrk(ptrdiff_t increment) PLAIN_NAME(sbrk);
_READ_WRITE_RETURN_TYPE write(int fd, const void *text, size_t n) PLAIN_NAME(write);
_READ_WRITE_RETURN_TYPE read(int fd, void *buffer, size_t n) PLAIN_NAME(read);
int close(int fd) PLAIN_NAME(close);
off_t lseek(int fd, off_t offset, int whence) PLAIN_NAME(lseek);
int fstat(int fd, struct stat *st) PLAIN_NAME(fstat);
int isatty(int fd) PLAIN_NAME(isatty);
int kill(int pid, int signal) PLAIN_NAME(kill);
int getpid(void) PLAIN_NAME(getpid);
int gettimeofday(struct timeval *restrict tv, void *restrict zone) PLAIN_NAME(gettimeofday);

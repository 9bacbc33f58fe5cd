// SPDX-License-Identifier: MIT
/* The formatter: one pass over the format, one output cursor, no other state. */
#include "base/print.h"
#include "base/host.h"
#include "base/kallsyms.h"
#include "base/string.h"

struct cursor {
	char *buf;
	size_t size;	/* of buf */
	size_t at;	/* bytes the text has so far, also beyond size */
};

struct spec {
	bool left, zero;
	int width;
	int precision;	/* -1: none */
	int longs;	/* l and z count 1, ll 2 */
};

static void put(struct cursor *c, char ch)
{
	if (c->at + 1 < c->size)
		c->buf[c->at] = ch;
	c->at++;
}

static void put_padded(struct cursor *c, const struct spec *s, const char *text, size_t len)
{
	int pad = s->width - (int)len;

	for (; !s->left && pad > 0; pad--)
		put(c, ' ');
	while (len--)
		put(c, *text++);
	for (; pad > 0; pad--)
		put(c, ' ');
}

/*
 * 64-bit numbers are divided by ten in 32-bit halves: on a 32-bit machine a
 * 64-bit division would pull in the compiler's library.
 */
static unsigned int divide_by_10(u64 *n)
{
	u32 high = (u32)(*n >> 32);
	u32 mid = ((high % 10) << 16) | ((u32)(*n >> 16) & 0xffff);
	u32 low = ((mid % 10) << 16) | ((u32)*n & 0xffff);

	*n = ((u64)(high / 10) << 32) + ((u64)(mid / 10) << 16) + low / 10;
	return low % 10;
}

static void put_number(struct cursor *c, const struct spec *s, u64 n, bool negative, bool hex)
{
	char digits[24];
	size_t at = sizeof(digits);
	struct spec plain = *s;

	do {
		unsigned int digit;

		if (hex) {
			digit = n & 15;
			n >>= 4;
		} else {
			digit = divide_by_10(&n);
		}
		digits[--at] = "0123456789abcdef"[digit];
	} while (n);
	if (s->zero && !s->left) {
		if (negative)
			put(c, '-');
		for (int pad = s->width - negative - (int)(sizeof(digits) - at); pad > 0; pad--)
			put(c, '0');
		plain.width = 0;
	} else if (negative) {
		digits[--at] = '-';
	}
	put_padded(c, &plain, digits + at, sizeof(digits) - at);
}

static const char *parse_spec(const char *fmt, struct spec *s, va_list *ap)
{
	*s = (struct spec){ .precision = -1 };
	for (;; fmt++) {
		if (*fmt == '-')
			s->left = true;
		else if (*fmt == '0')
			s->zero = true;
		else
			break;
	}
	if (*fmt == '*') {
		s->width = va_arg(*ap, int);
		fmt++;
	}
	for (; *fmt >= '0' && *fmt <= '9'; fmt++)
		s->width = s->width * 10 + (*fmt - '0');
	if (*fmt == '.') {
		s->precision = 0;
		if (*++fmt == '*') {
			s->precision = va_arg(*ap, int);
			fmt++;
		}
		for (; *fmt >= '0' && *fmt <= '9'; fmt++)
			s->precision = s->precision * 10 + (*fmt - '0');
	}
	for (; *fmt == 'l' || *fmt == 'z'; fmt++)
		s->longs++;
	return fmt;
}

static u64 take_unsigned(const struct spec *s, va_list *ap)
{
	if (s->longs >= 2)
		return va_arg(*ap, unsigned long long);
	if (s->longs)
		return va_arg(*ap, unsigned long);
	return va_arg(*ap, unsigned int);
}

static s64 take_signed(const struct spec *s, va_list *ap)
{
	if (s->longs >= 2)
		return va_arg(*ap, long long);
	if (s->longs)
		return va_arg(*ap, long);
	return va_arg(*ap, int);
}

static void put_string(struct cursor *c, const struct spec *s, const char *text)
{
	if (!text)
		text = "(null)";
	put_padded(c, s, text, s->precision < 0 ? strlen(text) : strnlen(text, (size_t)s->precision));
}

static const char *put_pointer(struct cursor *c, const struct spec *s, const char *fmt, unsigned long p)
{
	char name[96];

	if (fmt[1] == 'S') {
		kallsyms_format(name, sizeof(name), p);
		put_string(c, s, name);
		return fmt + 1;
	}
	put(c, '0');
	put(c, 'x');
	put_number(c, s, p, false, true);
	return fmt;
}

int vformat(char *buf, size_t size, const char *fmt, va_list args)
{
	struct cursor c = { .buf = buf, .size = size };
	struct spec s;
	va_list ap;
	s64 n;

	va_copy(ap, args);
	for (; *fmt; fmt++) {
		if (*fmt != '%') {
			put(&c, *fmt);
			continue;
		}
		fmt = parse_spec(fmt + 1, &s, &ap);
		switch (*fmt) {
		case 'd':
		case 'i':
			n = take_signed(&s, &ap);
			put_number(&c, &s, n < 0 ? -(u64)n : (u64)n, n < 0, false);
			break;
		case 'u':
			put_number(&c, &s, take_unsigned(&s, &ap), false, false);
			break;
		case 'x':
			put_number(&c, &s, take_unsigned(&s, &ap), false, true);
			break;
		case 'c':
			put_padded(&c, &s, &(char){ (char)va_arg(ap, int) }, 1);
			break;
		case 's':
			put_string(&c, &s, va_arg(ap, const char *));
			break;
		case 'p':
			fmt = put_pointer(&c, &s, fmt, (unsigned long)va_arg(ap, void *));
			break;
		case '\0':
			fmt--;
			break;
		default:
			put(&c, *fmt);
		}
	}
	va_end(ap);
	if (size)
		buf[c.at < size ? c.at : size - 1] = '\0';
	return (int)c.at;
}

int format(char *buf, size_t size, const char *fmt, ...)
{
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vformat(buf, size, fmt, ap);
	va_end(ap);
	return n;
}

void pr_info(const char *fmt, ...)
{
	char text[512];
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vformat(text, sizeof(text), fmt, ap);
	va_end(ap);
	host_write(text, min((size_t)n, sizeof(text) - 1));
}

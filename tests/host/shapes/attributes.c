// SPDX-License-Identifier: MIT
/* Functions that ask for other nops than the command line does. */
#define noinline __attribute__((noinline))

noinline int as_asked(int x)
{
	return x + 1;
}

__attribute__((patchable_function_entry(0, 0))) noinline int no_nops(int x)
{
	return x + 2;
}

__attribute__((patchable_function_entry(1))) noinline int one_nop(int x)
{
	return x + 3;
}

__attribute__((patchable_function_entry(5))) noinline int five_nops(int x)
{
	return x + 4;
}

/* Two of them stand in front of the function. */
__attribute__((patchable_function_entry(7, 2))) noinline int nops_before(int x)
{
	return x + 5;
}

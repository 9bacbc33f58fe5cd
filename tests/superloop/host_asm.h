/* SPDX-License-Identifier: MIT */
/* The superloop's answers that assembly needs too: one thread, so a variable will do. */
#pragma once

#define HOST_SHADOW_SP	superloop_shadow_sp

#ifndef __ASSEMBLY__
extern char superloop_shadow_sp[];
#endif

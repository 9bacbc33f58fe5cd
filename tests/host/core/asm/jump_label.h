// SPDX-License-Identifier: MIT
/* No branch is compiled in on the build machine: keys are tested in the guest. */
#pragma once

// Asks another program what the counts cost.
#pragma once

#include "report.h"

namespace cudasim {

// Runs the program that CUDASIM_TIME names, if it does, on the counts as JSON and on the target that
// CUDASIM_TARGET names. What it prints goes to stderr; its exit status says nothing about this one.
void price(const Report &report);

}  // namespace cudasim

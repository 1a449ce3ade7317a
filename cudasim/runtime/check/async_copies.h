// Asynchronous copies to shared memory that their threads have not waited for.
//
// "It is a race condition for any thread to modify the source memory or observe or modify the
// destination memory prior to waiting for the memcpy_async operation to complete." (CUDA C++
// Programming Guide, "Primitives Interface".)  So a copy reads and writes when it is submitted and
// again when its thread has waited for it, and in between its cells are marked.
#pragma once

#include "race_check.h"

namespace cudasim {

// How many there are, of all threads of the block that runs.
extern size_t copies_in_flight;

// The access touches a cell that is marked.
void check_marked_cell(Cell &cell, const Deed &deed);

// The thread that runs has returned.
void finish_async_copies();

}  // namespace cudasim

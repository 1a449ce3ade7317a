// The work of streams, and what is ordered before what.
//
// Every kernel, copy, fill, host function, stream-ordered allocation and free is an operation of a
// stream.  It carries the clock of what must be done before it: the operations before it in its
// stream, those that its stream was made to wait for, and those that the host had waited for when
// it was asked for.  Whatever its clock does not include may run at the same time.
//
// The host has one clock, for all its threads: how they wait for each other is not seen, so that what
// one has waited for counts as known to all.
#pragma once

#include <string>

#include "clock.h"

namespace cudasim {

enum class OperationKind : unsigned char { kernel, copy, fill, host_function, allocation, free };

struct OperationName {
  OperationKind kind;
  unsigned stream, count;    // the count-th of its stream
  unsigned code;             // where it was asked for; 0 for a kernel, which has a site
  Site site;                 // of a kernel
  const void *kernel_address;

  bool is_before(const Clock &other) const { return other[stream] >= count; }
};

struct Operation : OperationName {
  Clock clock;  // includes itself
};

// Between these two, what is accessed counts as accessed by the operation.
void begin_operation(const Operation &operation);
void end_operation();

// What runs: null while the host's own code does.
const Operation *current_operation();

// Some operation that is not ordered before the current one has run already.
bool has_unordered_operations();

// The access at that time, of an earlier operation, is ordered before the current one (or before what
// the host does now).
bool is_ordered_access(unsigned time);

// Some operation has run that the host has not waited for.
bool is_host_behind();

// Operations that the host has waited for are before all that is still to come.
void forget_operations(const Clock &host);

// `kernel 'k' in the default stream`, `the copy at a.cu:7 in the stream created at a.cu:3`
std::string operation_text(const OperationName &operation);
std::string operation_text_at(unsigned time);

}  // namespace cudasim

// Links of local variables end with the function.
#pragma once

#include "links.h"

namespace cudasim {

// Notes if the host's side is on the stack of this thread.
void note_linked_frame(const Link &link);

}  // namespace cudasim

// Several host threads may use the device at the same time.
//
// In check and profile mode one does so at a time, from the beginning of a launch to its end: what
// happens on the device is one story then.  Whoever has the turn may take it again, and never waits for
// another thread, so nobody waits for ever.  In fast mode all have it.
#pragma once

namespace cudasim {

struct Turn {
  Turn();
  ~Turn();
  Turn(const Turn &) = delete;
  Turn &operator=(const Turn &) = delete;
};

}  // namespace cudasim

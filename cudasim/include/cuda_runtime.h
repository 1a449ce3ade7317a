// The CUDA runtime as a .cu file sees it, on a CPU.  cudasim-cc includes this header
// by force, as nvcc does, so a program need not name it.
#pragma once

// Programs may ask whether they are simulated.
#define CUDASIM 1

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <tuple>
#include <type_traits>
#include <utility>

#include "cudasim/qualifiers.h"
#include "cudasim/vector_types.h"
#include "cudasim/errors.h"
#include "cudasim/device_properties.h"
#include "cudasim/api.h"
#include "cudasim/devices.h"
#include "cudasim/coherence.h"
#include "cudasim/memory_3d.h"
#include "cudasim/thread_position.h"
#include "cudasim/launch.h"
#include "cudasim/address_spaces.h"
#include "cudasim/barrier.h"
#include "cudasim/async_copy.h"
#include "cudasim/kernel_api.h"
#include "cudasim/warp.h"
#include "cudasim/atomics.h"
#include "cudasim/min_max.h"
#include "cudasim/math_functions.h"
#include "cudasim/bit_functions.h"

// What every file of the runtime may assume: the declarations that the program sees.
#pragma once

#include "../include/cuda_runtime.h"


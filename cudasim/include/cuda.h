// Everything lives in cuda_runtime.h; this name is here for programs that ask for it.
#pragma once
#include "cuda_runtime.h"

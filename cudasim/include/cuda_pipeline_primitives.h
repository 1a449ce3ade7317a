#pragma once
#include "cuda_runtime.h"
#include "cudasim/pipeline.h"

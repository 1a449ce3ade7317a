#pragma once
#include "../cudasim/cooperative_reduce.h"

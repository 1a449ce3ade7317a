#pragma once
#include "../cudasim/cooperative_copy.h"

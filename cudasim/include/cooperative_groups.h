#pragma once
#include "cudasim/cooperative_groups.h"

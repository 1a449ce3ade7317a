#pragma once
#include "no_stream_order.h"

// The constants of CUDA's math_constants.h that programs use.
#pragma once

#define CUDART_INF __builtin_inf()
#define CUDART_NAN __builtin_nan("")
#define CUDART_INF_F __builtin_inff()
#define CUDART_NAN_F __builtin_nanf("")
#define CUDART_PI 3.1415926535897931e+0
#define CUDART_PI_F 3.141592654f
#define CUDART_SQRT_TWO 1.4142135623730951e+0
#define CUDART_SQRT_TWO_F 1.414213562f

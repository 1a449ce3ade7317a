// build-error: limits/cuda_pipeline_class.cu:3: <cuda/pipeline> is not simulated; <cuda_pipeline.h> is
#include <cuda_pipeline.h>
#include <cuda/pipeline>
int main() {}

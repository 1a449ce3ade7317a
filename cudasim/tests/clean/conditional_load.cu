// output: 10
// A load that happens only in some iterations stays where it is: the compiler might move it out of the loop,
// where the element has no value yet.
#include <cstdio>

__global__ void late(double *out, int first)
{
    __shared__ double staged[1];
    double sum = 0;
    for (int step = 0; step < 4; step++) {
        if (threadIdx.x == 0 && step == first)
            staged[0] = 2;
        __syncthreads();
        for (int i = 0; i < 3; i++)
            if (step >= first && i < step)
                sum += staged[0];
        __syncthreads();
    }
    out[threadIdx.x] = sum;
}

int main()
{
    double *out, result[32];
    cudaMalloc(&out, sizeof result);
    late<<<1, 32>>>(out, 2);
    cudaMemcpy(result, out, sizeof result, cudaMemcpyDeviceToHost);
    cudaFree(out);
    printf("%g\n", result[31]);
    return result[31] == 10 ? 0 : 1;
}

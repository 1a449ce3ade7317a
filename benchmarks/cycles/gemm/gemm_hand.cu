/* The matrix product by hand. A block computes a tile of 128 x 128 numbers, a thread 8 x 8 of them in registers, as
 * four squares of 4 x 4 so that it reads shared memory in vectors without bank conflicts. The tiles of A and B are
 * 8 deep and doubled: while one is multiplied, the next is on its way from global memory. alpha is multiplied into
 * A on the way, as the sequential program does.
 *
 * Usage: gemm_hand [ni [nj [nk]]]      (by default 256 256 256)
 */
#include <initializer_list>

#include "../bench.h"
#include "../device.h"

constexpr float ALPHA = 1.5f, BETA = 1.25f;
constexpr int TILE = 128, DEPTH = 8;
constexpr int THREADS = 256;
constexpr int HALF = TILE / 2;

/* Four numbers of a row of a matrix, zeros beyond its end. Where the rows have whole vectors they are read as such. */
template <bool VECTORS>
__device__ float4 load4(const float *row, int column, int columns)
{
    float4 four = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
    if constexpr (VECTORS) {
        if (column < columns)
            four = *reinterpret_cast<const float4 *>(row + column);
    } else {
        if (column < columns)
            four.x = row[column];
        if (column + 1 < columns)
            four.y = row[column + 1];
        if (column + 2 < columns)
            four.z = row[column + 2];
        if (column + 3 < columns)
            four.w = row[column + 3];
    }
    return four;
}

template <bool VECTORS>
__device__ void store4(float *row, int column, int columns, const float *four)
{
    if constexpr (VECTORS) {
        if (column < columns)
            *reinterpret_cast<float4 *>(row + column) = make_float4(four[0], four[1], four[2], four[3]);
    } else {
#pragma unroll
        for (int c = 0; c < 4; c++)
            if (column + c < columns)
                row[column + c] = four[c];
    }
}

__device__ void get4(const float *from, float *to)
{
    float4 four = *reinterpret_cast<const float4 *>(from);
    to[0] = four.x;
    to[1] = four.y;
    to[2] = four.z;
    to[3] = four.w;
}

template <bool VECTORS>
__global__ void __launch_bounds__(THREADS, 2) multiply(int ni, int nj, int nk, const float *__restrict__ A,
                                                       const float *__restrict__ B, float *__restrict__ C)
{
    /* A stands transposed; the rows are longer so that a warp's stores go to different banks. */
    __shared__ __align__(16) float tile_A[2][DEPTH][TILE + 4];
    __shared__ __align__(16) float tile_B[2][DEPTH][TILE];

    int thread = threadIdx.x;
    int row_A = thread / 2, k_A = thread % 2 * 4;
    int k_B = thread / 32, column_B = thread % 32 * 4;
    int i_A = blockIdx.y * TILE + row_A, j_B = blockIdx.x * TILE + column_B;
    int tx = thread % 16, ty = thread / 16;

    /* What the thread brings of the next tiles. Beyond the last row of A it brings that row again: the sums are not
     * stored. */
    const float *line_A = A + (size_t)min(i_A, ni - 1) * nk;
    const float *line_B = B + (size_t)k_B * nj;
    float4 next_A, next_B;
    auto fetch = [&](int k) {
        next_A = load4<VECTORS>(line_A, k + k_A, nk);
        next_B = k + k_B < nk ? load4<VECTORS>(line_B, j_B, nj) : make_float4(0.0f, 0.0f, 0.0f, 0.0f);
        line_B += (size_t)DEPTH * nj;
    };
    auto put = [&](int buffer) {
        tile_A[buffer][k_A][row_A] = ALPHA * next_A.x;
        tile_A[buffer][k_A + 1][row_A] = ALPHA * next_A.y;
        tile_A[buffer][k_A + 2][row_A] = ALPHA * next_A.z;
        tile_A[buffer][k_A + 3][row_A] = ALPHA * next_A.w;
        *reinterpret_cast<float4 *>(&tile_B[buffer][k_B][column_B]) = next_B;
    };
    /* The place of the row or column that a thread has at one of its eight. */
    auto place = [](int of_thread, int eighth) { return of_thread * 4 + eighth % 4 + eighth / 4 * HALF; };

    float sum[8][8];
#pragma unroll
    for (int r = 0; r < 8; r++) {
        int i = blockIdx.y * TILE + place(ty, r);
#pragma unroll
        for (int half = 0; half < 2; half++) {
            int j = blockIdx.x * TILE + place(tx, 4 * half);
            float4 four = i < ni ? load4<VECTORS>(C + (size_t)i * nj, j, nj) : make_float4(0.0f, 0.0f, 0.0f, 0.0f);
            sum[r][4 * half] = BETA * four.x;
            sum[r][4 * half + 1] = BETA * four.y;
            sum[r][4 * half + 2] = BETA * four.z;
            sum[r][4 * half + 3] = BETA * four.w;
        }
    }

    fetch(0);
    put(0);
    __syncthreads();
    for (int k = 0, buffer = 0; k < nk; k += DEPTH, buffer = 1 - buffer) {
        bool is_last = k + DEPTH >= nk;
        if (!is_last)
            fetch(k + DEPTH);
        /* Unrolled, it needs more registers than two blocks of a multiprocessor have. */
#pragma unroll 1
        for (int d = 0; d < DEPTH; d++) {
            float a[8], b[8];
            get4(&tile_A[buffer][d][ty * 4], a);
            get4(&tile_A[buffer][d][ty * 4 + HALF], a + 4);
            get4(&tile_B[buffer][d][tx * 4], b);
            get4(&tile_B[buffer][d][tx * 4 + HALF], b + 4);
#pragma unroll
            for (int r = 0; r < 8; r++)
#pragma unroll
                for (int c = 0; c < 8; c++)
                    sum[r][c] += a[r] * b[c];
        }
        if (!is_last)
            put(1 - buffer);
        __syncthreads();
    }

#pragma unroll
    for (int r = 0; r < 8; r++) {
        int i = blockIdx.y * TILE + place(ty, r);
#pragma unroll
        for (int half = 0; half < 2; half++) {
            int j = blockIdx.x * TILE + place(tx, 4 * half);
            if (i < ni)
                store4<VECTORS>(C + (size_t)i * nj, j, nj, sum[r] + 4 * half);
        }
    }
}

static void gemm(int ni, int nj, int nk, const float *A, const float *B, float *C)
{
    float *dev_A = to_device((size_t)ni * nk, A);
    float *dev_B = to_device((size_t)nk * nj, B);
    float *dev_C = to_device((size_t)ni * nj, C);
    dim3 grid(blocks(nj, TILE), blocks(ni, TILE));
    if (nj % 4 == 0 && nk % 4 == 0)
        multiply<true><<<grid, THREADS>>>(ni, nj, nk, dev_A, dev_B, dev_C);
    else
        multiply<false><<<grid, THREADS>>>(ni, nj, nk, dev_A, dev_B, dev_C);
    CHECK(cudaGetLastError());
    to_host((size_t)ni * nj, C, dev_C);
    for (float *memory : {dev_A, dev_B, dev_C})
        CHECK(cudaFree(memory));
}

int main(int argc, char **argv)
{
    int ni = size(argc, argv, 1, 256);
    int nj = size(argc, argv, 2, 256);
    int nk = size(argc, argv, 3, 256);
    float *A = drawn_floats((size_t)ni * nk, 1);
    float *B = drawn_floats((size_t)nk * nj, 2);
    float *C = drawn_floats((size_t)ni * nj, 3);

    start_clock();
    gemm(ni, nj, nk, A, B, C);
    stop_clock();
    print_floats("C", (size_t)ni * nj, C);

    for (float *memory : {A, B, C})
        free(memory);
    return 0;
}

// FDTD-2D: electric and magnetic fields on a staggered grid, four nests in a loop over time.
// sizes: -DNX=21 -DNY=53 -DTMAX=3
// copies: 7
// variants: long split
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef NX
#define NX 35
#endif
#ifndef NY
#define NY 37
#endif
#ifndef TMAX
#define TMAX 5
#endif

void kernel_fdtd2d(float *_fict_, float *ex, float *ey, float *hz)
{
    for (int t = 0; t < TMAX; t++) { // loop: sequential, pair(+2 ey[0 * NY + j], +2 ey[0 * NY + j]), because every step uses the fields of the step before
        for (int j = 0; j < NY; j++) // loop: parallel_if
            ey[0 * NY + j] = _fict_[t];

        for (int i = 1; i < NX; i++) { // loop: parallel_if
            for (int j = 0; j < NY; j++) // loop: parallel_if
                ey[i * NY + j] = ey[i * NY + j] - 0.5f * (hz[i * NY + j] - hz[(i - 1) * NY + j]);
        }

        for (int i = 0; i < NX; i++) { // loop: parallel_if
            for (int j = 1; j < NY; j++) // loop: parallel_if
                ex[i * (NY + 1) + j] = ex[i * (NY + 1) + j] - 0.5f * (hz[i * NY + j] - hz[i * NY + (j - 1)]);
        }

        for (int i = 0; i < NX; i++) { // loop: parallel_if
            for (int j = 0; j < NY; j++) // loop: parallel_if
                hz[i * NY + j] = hz[i * NY + j]
                    - 0.75f * (ex[i * (NY + 1) + (j + 1)] - ex[i * (NY + 1) + j] + ey[(i + 1) * NY + j] - ey[i * NY + j]);
        }
    }
}

static void fill(float *a, int n, int step)
{
    for (int i = 0; i < n; i++) // loop: parallel
        a[i] = (float)((i * step + i / 16) % 7 - 3);
}

static void show(const char *name, const float *a, int n)
{
    uint64_t sum = 0;
    for (int i = 0; i < n; i++) // loop: parallel, reduction(+:sum)
        sum += (uint64_t)(int64_t)(a[i] * 4096.0) * (uint64_t)(2 * i + 1);
    printf("%s: %016llx first %g middle %g last %g\n", name, (unsigned long long)sum, a[0], a[n / 2], a[n - 1]);
}

int main(void)
{
    float *_fict_ = malloc(TMAX * sizeof(float));
    float *ex = malloc(NX * (NY + 1) * sizeof(float));
    float *ey = malloc((NX + 1) * NY * sizeof(float));
    float *hz = malloc(NX * NY * sizeof(float));
    float *block = malloc(2 * NX * NY * sizeof(float));
    if (!_fict_ || !ex || !ey || !hz || !block)
        return 1;

    fill(_fict_, TMAX, 5);
    fill(ex, NX * (NY + 1), 3);
    fill(ey, (NX + 1) * NY, 2);
    fill(hz, NX * NY, 4);
    kernel_fdtd2d(_fict_, ex, ey, hz);
    show("ex", ex, NX * (NY + 1));
    show("ey", ey, (NX + 1) * NY);
    show("hz", hz, NX * NY);

    /* The last row of ey is the first of hz. */
    fill(ex, NX * (NY + 1), 3);
    fill(block, 2 * NX * NY, 2);
    kernel_fdtd2d(_fict_, ex, block, block + NX * NY);
    show("ex", ex, NX * (NY + 1));
    show("block", block, 2 * NX * NY);

    free(_fict_);
    free(ex);
    free(ey);
    free(hz);
    free(block);
    return 0;
}

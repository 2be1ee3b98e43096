// same_for_all_layers: the loop in the middle writes the same row again and again, so that only copies make it parallel: it must not run together with the others.
// sizes: -DN=41
#include <stdint.h>
#include <stdio.h>

#ifndef N
#define N 35
#endif
#define LAYERS 6

static unsigned flat[N][N], deep[N][N][LAYERS];

void last_layer(int nk, int nj)
{
    for (int k = 2; k < nk; ++k) // loop: parallel
        for (int i = 0; i < LAYERS; i++) // loop: parallel, lastprivate(flat)
            for (int j = 0; j < nj; j++) // loop: parallel
                flat[j][k] = deep[j][k][i];
}

int main(void)
{
    for (int j = 0; j < N; j++) // loop: parallel
        for (int k = 0; k < N; k++) { // loop: parallel
            flat[j][k] = (unsigned)(j + 2 * k);
            for (int i = 0; i < LAYERS; i++) // loop: parallel
                deep[j][k][i] = (unsigned)(j * 31 + k * 7 + i * 1001);
        }
    last_layer(N, N);
    uint64_t sum = 0;
    for (int j = 0; j < N; j++) // loop: parallel, reduction(+:sum)
        for (int k = 0; k < N; k++) // loop: parallel, reduction(+:sum)
            sum += (uint64_t)flat[j][k] * (uint64_t)(j * 3 + k + 1);
    printf("%016llx %u\n", (unsigned long long)sum, flat[N - 1][N - 1]);
    return 0;
}

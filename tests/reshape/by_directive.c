// Kernels that directives write: they get a collapse, or the other order and a collapse. One is written right already.
// done: 15: the loops over i, j together
// done: 27: the loops over i, j together, in the order i, j
#include <stdio.h>

#define NI 40
#define NJ 36
#define NK 12

static float a[NI * NK], b[NK * NJ], c[NI * NJ];

void multiply(void)
{
    #pragma omp target teams distribute parallel for map(to: a, b) map(tofrom: c)
    for (int i = 0; i < NI; i++)
        for (int j = 0; j < NJ; j++) {
            c[i * NJ + j] *= 2;
            for (int k = 0; k < NK; k++)
                c[i * NJ + j] += a[i * NK + k] * b[k * NJ + j];
        }
}

void transposed(void)
{
    #pragma omp target teams distribute parallel for \
        map(tofrom: c)  // a comment behind a continued line
    for (int j = 0; j < NJ; j++)
        for (int i = 0; i < NI; i++)
            c[i * NJ + j] += 1;
}

void right_already(void)
{
    #pragma omp target teams distribute parallel for collapse(2) map(tofrom: c)
    for (int i = 0; i < NI; i++)
        for (int j = 0; j < NJ; j++)
            c[i * NJ + j] += 3;
}

int main(void)
{
    for (int k = 0; k < NI * NK; k++)
        a[k] = (float)(k % 5 - 2);
    for (int k = 0; k < NK * NJ; k++)
        b[k] = (float)(k % 7 - 3);
    for (int k = 0; k < NI * NJ; k++)
        c[k] = (float)(k % 3);
    multiply();
    transposed();
    right_already();
    double sum = 0;
    for (int k = 0; k < NI * NJ; k++)
        sum += c[k] * (1 + k % 4);
    printf("%.0f %.0f\n", sum, c[NI * NJ - 1]);
    return 0;
}

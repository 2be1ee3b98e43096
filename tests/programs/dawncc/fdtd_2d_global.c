// fdtd_2d_global: the example of figure 9, with a call in the `if` that writes H through a global pointer.
// sizes: -DM=21 -DN=53
// variants: long split
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef M
#define M 35
#endif
#ifndef N
#define N 37
#endif

float *watched;
int visits;

static int should_compute_y(int i)
{
    visits = visits + 1;
    watched[visits] = watched[visits - 1] + 1.0f;
    return i % 3 != 1;
}

void kernel_fdtd_2d(float *Y, float *X, float *H, int m, int n)
{
    for (int i = 1; i < m; i++) { // loop: sequential, pair(visits, visits), because should_compute_y changes visits and the array behind watched
        if (should_compute_y(i)) {
            for (int j = 0; j < n; j++) { // loop: parallel_if
                Y[i * n + j] = Y[i * n + j] - 0.5 * (H[i * n + j] - H[(i - 1) * n + j]); // read H[(i-1)*n .. (i+1)*n-1], write Y[i*n .. (i+1)*n-1]
            }
        }
        for (int j = 1; j < n; j++) // loop: parallel_if
            X[i * n + j] = X[i * n + j] - 0.5 * (H[i * n + j] - H[i * n + (j - 1)]); // read H[i*n .. (i+1)*n-1], write X[i*n+1 .. (i+1)*n-1]
    }
}

static void show(const char *name, const float *a, int n)
{
    uint64_t sum = 0;
    for (int i = 0; i < n; i++) // loop: parallel, reduction(+:sum)
        sum += (uint64_t)(int64_t)(a[i] * 4096.0) * (uint64_t)(2 * i + 1);
    printf("%s: %016llx first %g middle %g last %g\n", name, (unsigned long long)sum, a[0], a[n / 2], a[n - 1]);
}

static void fill(float *a, int step)
{
    for (int i = 0; i < M * N; i++) // loop: parallel
        a[i] = (float)((i * step) % 17 - 8);
}

int main(void)
{
    float *Y = malloc(M * N * sizeof(float));
    float *X = malloc(M * N * sizeof(float));
    float *H = malloc(M * N * sizeof(float));
    if (!Y || !X || !H)
        return 1;

    fill(Y, 3);
    fill(X, 5);
    fill(H, 7);
    watched = H + N;
    kernel_fdtd_2d(Y, X, H, M, N);
    show("Y", Y, M * N);
    show("X", X, M * N);
    show("H", H, M * N);

    fill(H, 7);
    visits = 0;
    kernel_fdtd_2d(Y, H, H, M, 11);
    show("X in H", H, M * N);
    show("Y", Y, M * N);
    printf("visits %d\n", visits);

    free(Y);
    free(X);
    free(H);
    return 0;
}

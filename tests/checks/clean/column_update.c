// Shows: the host sets one column, which alone is updated on the device; the rest is newer there.
// compiler: clang
#include <stdio.h>

#define N 16

static double a[N][N];

int main(void)
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            a[i][j] = i;
    #pragma omp target data map(tofrom: a)
    for (int step = 0; step < 3; step++) {
        #pragma omp target teams distribute parallel for collapse(2)
        for (int i = 0; i < N; i++)
            for (int j = 1; j < N; j++)
                a[i][j] += a[i][0];
        for (int i = 0; i < N; i++)
            a[i][0] = step;
        #pragma omp target update to(a[0:N][0:1])
    }
    printf("%g %g\n", a[3][0], a[3][3]);
    return 0;
}

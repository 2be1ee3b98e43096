// Shows: where the loop has not run, nothing has to be copied back.
#include <stdio.h>
#define N 10
static int go(double *a, int most)
{
    #pragma omp target enter data map(to: a[0:N])
    int t;
    for (t = 0; t < most; t++) {
        #pragma omp target teams distribute parallel for
        for (int i = 0; i < N; i++) a[i] += 1;
        if (t == 5) break;
    }
    if (t == 0) {
        #pragma omp target exit data map(release: a[0:N])
        return 0;
    }
    #pragma omp target exit data map(from: a[0:N])
    return t;
}
int main(void)
{
    double a[N];
    for (int i = 0; i < N; i++) a[i] = i;
    printf("%d", go(a, 0)); printf(" %g\n", a[0]);
    printf("%d", go(a, 3)); printf(" %g\n", a[0]);
    printf("%d", go(a, 9)); printf(" %g\n", a[0]);
    return 0;
}

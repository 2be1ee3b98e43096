// Shows: scratch on the device that is kept, and made anew when it is too small.
#include <stdio.h>
#include <stdlib.h>
static double *work; static int cap;
static void need(int n)
{
    if (n <= cap) return;
    if (work) {
        #pragma omp target exit data map(delete: work[0:cap])
        free(work);
    }
    work = malloc(n * sizeof *work); cap = n;
    #pragma omp target enter data map(alloc: work[0:n])
}
static double use(int n)
{
    double s = 0;
    need(n);
    #pragma omp target teams distribute parallel for
    for (int i = 0; i < n; i++) work[i] = i;
    #pragma omp target teams distribute parallel for reduction(+: s) map(tofrom: s)
    for (int i = 0; i < n; i++) s += work[i];
    return s;
}
int main(void)
{
    printf("%g\n", use(10)); printf("%g\n", use(5)); printf("%g\n", use(20));
    #pragma omp target exit data map(delete: work[0:cap])
    free(work);
    return 0;
}

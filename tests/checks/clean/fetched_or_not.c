// Shows: a variable says whether the loop was left before or after its copy back.
#include <stdio.h>
#define N 8
int main(void)
{
    double a[N]; int fetched = 0;
    for (int i = 0; i < N; i++) a[i] = i;
    #pragma omp target enter data map(to: a)
    for (int t = 0; t < 10; t++) {
        double m = 0;
        #pragma omp target teams distribute parallel for reduction(+: m) map(tofrom: m)
        for (int i = 0; i < N; i++) { a[i] += 1; m += a[i]; }
        fetched = 0;
        if (m > 60) break;
        #pragma omp target update from(a)
        fetched = 1;
    }
    if (!fetched) {
        #pragma omp target update from(a)
    }
    printf("%g\n", a[0]);
    #pragma omp target exit data map(delete: a)
    return 0;
}

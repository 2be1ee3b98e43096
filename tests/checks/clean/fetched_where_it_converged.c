// Shows: the loop copies back where it converged, and only then the host reads.
#include <stdio.h>
#define N 20
int main(void)
{
    double a[N]; int converged = 0;
    for (int i = 0; i < N; i++) a[i] = i;
    #pragma omp target enter data map(to: a)
    for (int it = 0; it < 100; it++) {
        double m = 0;
        #pragma omp target teams distribute parallel for reduction(max: m) map(tofrom: m)
        for (int i = 0; i < N; i++) { a[i] *= 0.5; if (a[i] > m) m = a[i]; }
        if (m < 1e-3) { 
            #pragma omp target update from(a)
            converged = 1; break; }
    }
    if (converged) printf("%g\n", a[N-1]);
    else printf("did not converge\n");
    #pragma omp target exit data map(delete: a)
    return 0;
}

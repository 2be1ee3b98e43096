// Shows: a run that fails gives its data up and says so by a code, after which its caller reads nothing of them.
#include <stdio.h>
#include <stdlib.h>
static int run(int n, int limit, double *a)
{
    int rc = 0;
    #pragma omp target enter data map(to: a[0:n])
    for (int t = 0; t < 10; t++) {
        double m = 0;
        #pragma omp target teams distribute parallel for reduction(max: m) map(tofrom: m)
        for (int i = 0; i < n; i++) { a[i] *= 2; if (a[i] > m) m = a[i]; }
        if (m > limit) { rc = t + 1; break; }
    }
    if (rc) {
        #pragma omp target exit data map(delete: a[0:n])
        return rc;
    }
    #pragma omp target exit data map(from: a[0:n])
    return 0;
}
int main(void)
{
    double a[16], b[16];
    for (int i = 0; i < 16; i++) a[i] = b[i] = i;
    int rc = run(16, 1000000, a);
    if (rc) return 1;
    printf("%g\n", a[15]);
    rc = run(16, 10, b);
    printf("%d\n", rc);
    return 0;
}

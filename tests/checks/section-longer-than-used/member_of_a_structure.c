// Three components are mapped, one is scaled.
// judge: same (nothing is lost)
#include <stdio.h>
#include <stdlib.h>

struct field {
    double *a;
};

int main(void)
{
    struct field f;
    f.a = malloc(300 * sizeof *f.a);
    double *a = f.a;
    for (int i = 0; i < 300; i++)
        a[i] = i;
    #pragma omp target teams distribute parallel for map(tofrom: a[0:300]) // finds: section-longer-than-used a
    for (int i = 0; i < 100; i++)
        a[i] = 3 * a[i];
    printf("%g %g\n", f.a[99], f.a[299]);
    free(f.a);
    return 0;
}

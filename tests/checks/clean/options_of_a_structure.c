// Shows: a member of a structure decides on each directive.
#include <stdio.h>
#include <stdlib.h>
struct opt { int gpu, n, check; };
static void compute(const struct opt *o, double *a)
{
    int n = o->n;
    #pragma omp target teams distribute parallel for map(tofrom: a[0:n]) if(o->gpu)
    for (int i = 0; i < n; i++) a[i] = i;
}
static int test(const struct opt *o, double *a)
{
    if (o->gpu) {
        #pragma omp target update from(a[0:o->n])
    }
    int bad = 0;
    for (int i = 0; i < o->n; i++) bad += a[i] != i;
    return bad;
}
int main(int argc, char **argv)
{
    struct opt o = { argc < 2, 10, 1 };
    double *a = malloc(o.n * sizeof *a);
    for (int i = 0; i < o.n; i++) a[i] = -1;
    if (o.gpu) {
        #pragma omp target enter data map(to: a[0:o.n])
    }
    compute(&o, a);
    if (o.check) printf("%d\n", test(&o, a));
    if (o.gpu) {
        #pragma omp target exit data map(delete: a[0:o.n])
    }
    free(a);
    return 0;
}

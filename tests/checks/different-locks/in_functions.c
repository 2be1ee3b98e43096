// The critical regions are in functions, the variable is a member of a structure, the bound a parameter.
// judge: race
#include <stdio.h>

struct totals {
    double sum, peak;
};

static void add(struct totals *t, double v)
{
    #pragma omp critical(adding)
    t->sum += v;
}

static void drop(struct totals *t, double v)
{
    #pragma omp critical(dropping)
    t->sum -= v; // finds: different-locks t->sum
}

static void work(struct totals *t, int n)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        add(t, 2.0 * i);
        drop(t, i);
    }
}

int main(void)
{
    struct totals t = {0.0, 0.0};
    work(&t, 500);
    printf("%g %g\n", t.sum, t.peak);
    return 0;
}

// Each iteration makes a task that adds to one sum, one at a time.
// judge: no race
#include <stdio.h>

struct totals {
    int even, odd;
};

static void add(struct totals *t, const int *a, int n)
{
    for (int i = 0; i < n; i++) {
        #pragma omp task firstprivate(i)
        {
            #pragma omp atomic
            t->even += a[i];
        }
    }
    #pragma omp taskwait
}

int main(void)
{
    struct totals t = {0, 0};
    int a[500];
    for (int i = 0; i < 500; i++)
        a[i] = i % 4;
    #pragma omp parallel num_threads(4)
    #pragma omp single
    add(&t, a, 500);
    printf("%d\n", t.even + t.odd >= 0);
    return 0;
}

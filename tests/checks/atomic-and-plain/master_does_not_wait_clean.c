// The loop ends with a barrier before the sum is read.
// judge: no race
#include <stdio.h>

struct counter {
    long total;
    long first;
};

static void count(struct counter *c, int n)
{
    #pragma omp parallel
    {
        #pragma omp for
        for (int i = 0; i < n; i++) {
            #pragma omp atomic
            c->total += i;
        }
        #pragma omp master
        c->first = c->total;
    }
}

int main(void)
{
    struct counter c = {0, 0};
    count(&c, 1000);
    printf("%ld %d\n", c.total, c.first >= 0);
    return 0;
}

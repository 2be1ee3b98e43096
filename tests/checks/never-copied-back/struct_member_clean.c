// Shows: the histogram of the structure is mapped both ways.
#include <stdio.h>
#include <stdlib.h>

struct histogram {
    int bins;
    int *count;
};

static void collect(struct histogram *h, const int *values, int n)
{
    int bins = h->bins, *count = h->count;
    #pragma omp target map(to: values[0:n]) map(tofrom: count[0:bins])
    for (int i = 0; i < n; i++)
        count[values[i] % bins]++;
}

int main(void)
{
    struct histogram h = {13, NULL};
    int values[200];
    h.count = calloc(h.bins, sizeof *h.count);
    for (int i = 0; i < 200; i++)
        values[i] = i * i;
    collect(&h, values, 200);
    for (int b = 0; b < h.bins; b++)
        printf("%d\n", h.count[b]);
    free(h.count);
    return 0;
}

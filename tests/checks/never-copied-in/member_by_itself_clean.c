// A member has memory on the device, and no value.
#include <stdio.h>

struct window {
    int first;
    int length;
    double weight;
};

static double sum(struct window *w, const double *v)
{
    double sum = 0;
#pragma omp target map(to: v[0:50]) map(to: w->first, w->length) map(tofrom: sum)
    {
        for (int i = w->first; i < w->first + w->length; i++)
            sum += v[i];
    }
    return sum * w->weight;
}

int main(void)
{
    double v[50];
    struct window w = {4, 20, 2};
    for (int i = 0; i < 50; i++)
        v[i] = i;
    printf("%.0f\n", sum(&w, v));
    return 0;
}

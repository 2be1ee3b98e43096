// The shift is as long as the loop: what it reads lies behind what it writes.
// judge: no race
#include <stdio.h>

struct filter {
    int shift, length;
};

static void smooth(const struct filter *f, int *v)
{
    #pragma omp parallel for
    for (int i = 0; i < f->length - f->shift; i++)
        v[i] = v[i + f->shift] + 1;
}

int main(void)
{
    struct filter f = {2000, 4000};
    static int v[4000];
    for (int i = 0; i < 4000; i++)
        v[i] = i;
    smooth(&f, v);
    printf("%d\n", v[3999]);
    return 0;
}

// Shows: a declared reduction gives each thread a structure whose pointer leads to storage of its own.
// judge: no race
#include <stdio.h>
#include <stdlib.h>

struct counts {
    int length;
    int *of;
};

static void begin(struct counts *mine, const struct counts *all)
{
    mine->length = all->length;
    mine->of = calloc(all->length, sizeof *mine->of);
}

static void combine(struct counts *all, struct counts *mine)
{
    for (int k = 0; k < all->length; k++)
        all->of[k] += mine->of[k];
    free(mine->of);
}

#pragma omp declare reduction(counted : struct counts : combine(&omp_out, &omp_in)) initializer(begin(&omp_priv, &omp_orig))

int main(void)
{
    struct counts all = {10, calloc(10, sizeof *all.of)};
    #pragma omp parallel for reduction(counted : all)
    for (int i = 0; i < 100; i++)
        for (int k = 0; k < 10; k++)
            all.of[k] += i % 7;
    for (int k = 0; k < 10; k++)
        printf("%d\n", all.of[k]);
    free(all.of);
    return 0;
}

// Shows: each thread has a copy of the structure, and all of them lead to the same storage.
// judge: race
#include <stdio.h>
#include <stdlib.h>

struct counts {
    int length;
    int *of;
};

int main(void)
{
    struct counts all = {10, calloc(10, sizeof *all.of)};
    #pragma omp parallel for firstprivate(all) // finds: directive-contradicts-dependence all.of[k]
    for (int i = 0; i < 100; i++)
        for (int k = 0; k < 10; k++)
            all.of[k] += i % 7;
    for (int k = 0; k < 10; k++)
        printf("%d\n", all.of[k]);
    free(all.of);
    return 0;
}

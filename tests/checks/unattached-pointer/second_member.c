// Shows: one member is mapped through the structure, the other one by the pointer that it was set from; the kernel takes a copy of each pointer first.
#include <stdio.h>
#include <stdlib.h>

struct pair {
    int n;
    int *from;
    int *to;
};

int main(void)
{
    struct pair p = {50, NULL, NULL};
    int *target = malloc(p.n * sizeof *target);
    p.from = malloc(p.n * sizeof *p.from);
    p.to = target;
    for (int i = 0; i < p.n; i++) {
        p.from[i] = i;
        target[i] = -1;
    }
    #pragma omp target data map(to: p, p.from[0:p.n]) map(tofrom: target[0:p.n])
    {
        #pragma omp target teams distribute parallel for
        for (int i = 0; i < 50; i++) {
            const int *from = p.from;
            int *to = p.to;
            to[i] = 3 * from[i]; // finds: unattached-pointer p.to
        }
    }
    for (int i = 0; i < p.n; i++)
        printf("%d\n", target[i]);
    free(p.from);
    free(target);
    return 0;
}

// The end of a member's mapping brings that member of a structure that is mapped as a whole.
#include <stdio.h>
#include <stdlib.h>

struct pair {
    int n, m;
};

int main(void)
{
    struct pair *p = malloc(sizeof *p);
    if (!p)
        return 1;
    p->n = 1;
    p->m = 2;
    #pragma omp target enter data map(to: p[0:1])
    #pragma omp target
    p->n += 4;
    #pragma omp target exit data map(from: p->n)
    printf("%d\n", p->n);
    free(p);
    return 0;
}

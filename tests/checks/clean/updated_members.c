// An update of a member moves that member of a structure that is mapped as a whole: also of one inside, of an element, and behind a pointer.
#include <stdio.h>
#include <stdlib.h>

struct inner {
    int n, m;
};

struct outer {
    struct inner in;
    double v[4];
};

int main(void)
{
    struct outer one = {{1, 2}, {0}};
    struct inner several[3] = {{1, 1}, {2, 2}, {3, 3}};
    struct inner *made = malloc(sizeof *made);
    if (!made)
        return 1;
    made->n = made->m = 4;
    #pragma omp target data map(tofrom: one, several, made[0:1])
    {
        #pragma omp target
        {
            one.in.n = 5;
            one.v[2] = 6;
            several[2].n = 7;
            made->m = 8;
        }
        #pragma omp target update from(one.in.n, one.v[2:1]) from(several[2].n) from(made->m)
        printf("%d %g %d %d\n", one.in.n, one.v[2], several[2].n, made->m);
        one.in.m = 9;
        made->n = 10;
        #pragma omp target update to(one.in.m, made->n)
        #pragma omp target
        {
            one.in.n += one.in.m;
            made->m += made->n;
        }
    }
    printf("%d %d\n", one.in.n, made->m);
    free(made);
    return 0;
}

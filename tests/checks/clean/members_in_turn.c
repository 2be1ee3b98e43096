// Members of a structure come and go by themselves: those of one clause together, one that is mapped twice, and between the mappings the whole structure.
#include <stdio.h>

struct s {
    int n;
    double w[4];
    int k;
    int m;
};

int main(void)
{
    struct s x = {1, {1, 2, 3, 4}, 7, 9};
#pragma omp target enter data map(to: x.n, x.w[1:2])
    x.k++;
#pragma omp target data map(tofrom: x.n)
    {
#pragma omp target
        {
            x.n += x.w[1] + x.w[2];
        }
#pragma omp target update from(x.n)
        printf("%d\n", x.n);
        x.n = 20;
#pragma omp target update to(x.n)
    }
    x.m = x.k;
#pragma omp target exit data map(from: x.n) map(release: x.w[1:2])
    x.w[2] = x.m;
#pragma omp target
    {
        x.n += x.w[2] + x.m;
        x.k = x.n;
    }
    printf("%d %d\n", x.n, x.k);
#pragma omp target map(from: x.k) map(to: x.n)
    {
        x.k = x.n + 1;
    }
    printf("%d %d\n", x.n, x.k);
    return 0;
}

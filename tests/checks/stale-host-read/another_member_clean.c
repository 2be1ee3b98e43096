// The update brings the member that the host reads.
#include <stdio.h>

struct pair {
    int n, m;
};

int main(void)
{
    struct pair s = {1, 2};
    #pragma omp target data map(tofrom: s)
    {
        #pragma omp target
        {
            s.n = 5;
            s.m = 6;
        }
        #pragma omp target update from(s.n)
        printf("%d\n", s.n);
    }
    return 0;
}

// Shows: the array of one thread, a copy of one that is declared for the device, is mapped and not that one.
#include <stdio.h>

#pragma omp declare target
int a[4] = {2, 3, 4, 5};
#pragma omp end declare target

int main(void)
{
    int seen = 0;
    #pragma omp parallel firstprivate(a) num_threads(1)
    {
        a[0] = 11;
        #pragma omp target map(to: a) map(from: seen)
        seen = a[0];
    }
    printf("%d %d\n", a[1], seen > 0);
    return 0;
}

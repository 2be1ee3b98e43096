// Regions that run at a time count in one variable, each by atomic operations.
#include <stdio.h>

int main(void)
{
    int counter = 0, own[8];
    #pragma omp target data map(tofrom: counter) map(from: own)
    {
        for (int task = 0; task < 8; task++) {
            #pragma omp target map(alloc: counter, own) nowait
            for (int i = 0; i < 100; i++) {
                #pragma omp atomic
                counter++;
                own[task] = i;
            }
        }
        #pragma omp taskwait
    }
    printf("%d %d\n", counter, own[7]);
    return 0;
}

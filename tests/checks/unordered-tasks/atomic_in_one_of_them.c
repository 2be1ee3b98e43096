// Two regions run at a time and count in one variable, and only one of them by an atomic operation.
// judge: same (the first task may be done before the second begins)
#include <stdio.h>

int main(void)
{
    int counter[2] = {0, 0};
    #pragma omp target data map(tofrom: counter)
    {
        #pragma omp target map(alloc: counter) nowait
        for (int i = 0; i < 1000; i++) {
            #pragma omp atomic
            counter[0]++;
        }
        #pragma omp target map(alloc: counter) nowait
        for (int i = 0; i < 1000; i++)
            counter[0]++; // finds: unordered-tasks counter
        #pragma omp taskwait
    }
    printf("%d\n", counter[0] >= 1000);
    return 0;
}

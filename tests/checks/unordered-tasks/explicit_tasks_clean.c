// Who makes a task waits for it, and reads what the task has set.
// judge: no race
#include <stdio.h>

int main(void)
{
    double total = 0, rest[2000];
    #pragma omp parallel
    #pragma omp single
    {
        #pragma omp task
        for (int i = 0; i < 2000; i++)
            total += i;
        for (int i = 0; i < 2000; i++)
            rest[i] = i;
        #pragma omp taskwait
        rest[0] = total;
    }
    printf("%d\n", rest[1999] >= 0);
    return 0;
}

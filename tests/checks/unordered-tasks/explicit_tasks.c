// Who makes a task goes on, and reads what the task sets.
// judge: race
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
        rest[0] = total; // finds: unordered-tasks total
    }
    printf("%d\n", rest[1999] >= 0);
    return 0;
}

// A region takes part in the reduction of a group of tasks: its sum comes back with the group's.
#include <stdio.h>

static void add(int *sum, int what)
{
    for (int i = 0; i < 10; i++)
        *sum += what;
}

int main(void)
{
    int sum = 3;
    #pragma omp parallel master
    #pragma omp taskgroup task_reduction(+: sum)
    {
        #pragma omp target in_reduction(+: sum)
        add(&sum, 2);
        #pragma omp task in_reduction(+: sum)
        add(&sum, 1);
    }
    printf("%d\n", sum);
    return 0;
}

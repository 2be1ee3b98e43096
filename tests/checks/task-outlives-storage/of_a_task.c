// A task inside of a task sets a variable of the outer one, which does not wait for it.
// judge: race
#include <stdio.h>

static int sums[100];

static int count(int n)
{
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum += i % 3;
    return sum;
}

static void both(int k)
{
    #pragma omp task
    {
        int parts[2] = {0, 2};
        #pragma omp task shared(parts)
        parts[0] = count(300);
        sums[k] = count(parts[1]);
    } // finds: task-outlives-storage parts
}

int main(void)
{
    #pragma omp parallel num_threads(4)
    #pragma omp single
    for (int k = 0; k < 100; k++)
        both(k);
    printf("%d\n", sums[99] >= 0);
    return 0;
}

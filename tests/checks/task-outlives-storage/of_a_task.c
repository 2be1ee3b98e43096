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
        parts[0] = count(5000);
        sums[k] = count(5000 + parts[1]);
    } // finds: task-outlives-storage parts
}

int main(void)
{
    int other = 0;
    #pragma omp parallel num_threads(4)
    #pragma omp single
    for (int k = 0; k < 100; k++) {
        both(k);
        // Others have time to begin with it.
        other += count(20000);
    }
    printf("%d\n", sums[99] + other > 0);
    return 0;
}

// A function makes tasks for the team of its caller: a variable of it that is not said to be shared is copied when the task is made, before another one sets it.
// judge: race
#include <stdio.h>

static int measure(int n)
{
    int longest = 0;
    for (int i = 0; i < n; i++)
        if (i * 7 % 11 > longest)
            longest = i * 7 % 11;
    return longest;
}

static void plan(int n, int *result)
{
    int length = 0;
    #pragma omp task shared(length) depend(out: length)
    length = measure(n);
    #pragma omp task depend(in: length)
    *result = length + 1; // finds: unordered-tasks length
    #pragma omp taskwait
}

int main(void)
{
    int result = 0;
    #pragma omp parallel
    #pragma omp single
    plan(5000, &result);
    printf("%d\n", result > 0);
    return 0;
}

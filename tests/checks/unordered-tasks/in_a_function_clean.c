// A function makes tasks for the team of its caller, which share a variable of it.
// judge: no race
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
    #pragma omp task shared(length) depend(in: length)
    *result = length + 1;
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

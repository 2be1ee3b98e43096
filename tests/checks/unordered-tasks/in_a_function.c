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

static int plan(int n, int *result)
{
    int length = 0;
    #pragma omp task shared(length) depend(out: length)
    length = measure(n);
    #pragma omp task depend(in: length)
    *result = length + 1; // finds: unordered-tasks length
    // Other threads have time to begin with them.
    int own = measure(40 * n);
    #pragma omp taskwait
    return own;
}

int main(void)
{
    int result = 0, own = 0;
    #pragma omp parallel
    #pragma omp single
    own = plan(5000, &result);
    printf("%d\n", result + own > 0);
    return 0;
}

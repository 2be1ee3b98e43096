// The host sums up what a task without a wait increases.
// judge: same (the task may be done before the host goes on)
#include <stdio.h>

int main(void)
{
    int a[1000];
    for (int i = 0; i < 1000; i++)
        a[i] = i;
    #pragma omp target map(tofrom: a) nowait
    for (int i = 0; i < 1000; i++)
        a[i] += 1;
    int sum = 0;
    for (int i = 0; i < 1000; i++)
        sum += a[i]; // finds: unordered-tasks a
    #pragma omp taskwait
    printf("%d\n", sum > 0);
    return 0;
}

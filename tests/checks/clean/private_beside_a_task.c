// Shows: threads of the host have copies of a variable that a target task brings back.
#include <stdio.h>

int main(void)
{
    int a[4] = {0}, p = 0, sum = 0;
    #pragma omp target nowait map(from: p) map(tofrom: a)
    {
        p = 1;
        a[0] = p;
    }
    #pragma omp parallel for private(p) reduction(+: sum)
    for (int i = 0; i < 4; i++) {
        p = i;
        sum += p;
    }
    #pragma omp taskwait
    printf("%d %d\n", a[0], sum);
    return 0;
}

// The region sets the flag under a condition that one of its iterations meets: nothing of it comes back unwritten.
#include <stdio.h>

static int a[100];

int main(void)
{
    int found = 0;
    for (int i = 0; i < 100; i++)
        a[i] = i;
    #pragma omp target map(to: a) map(from: found)
    for (int i = 0; i < 100; i++)
        if (a[i] > 3)
            found = 1;
    printf("%d\n", found);
    return 0;
}

// Shows: a loop that runs once: the host reads before the kernel, and no second iteration reads what the device wrote.
#include <stdio.h>

int main(void)
{
    static int a[100];
    for (int i = 0; i < 100; i++)
        a[i] = i;
    #pragma omp target data map(tofrom: a)
    for (int step = 0; step < 1; step++) {
        printf("%d\n", a[3]);
        #pragma omp target teams distribute parallel for
        for (int i = 0; i < 100; i++)
            a[i] += 1;
    }
    printf("%d\n", a[3]);
    return 0;
}

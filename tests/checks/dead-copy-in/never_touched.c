// No kernel of the environment touches old.
// judge: same (nothing is lost)
#include <stdio.h>

int main(void)
{
    int now[50], old[50];
    for (int i = 0; i < 50; i++)
        now[i] = old[i] = i;
    #pragma omp target data map(tofrom: now) map(to: old) // finds: dead-copy-in old
    {
        #pragma omp target teams distribute parallel for
        for (int i = 0; i < 50; i++)
            now[i] = now[i] * 2;
    }
    printf("%d\n", now[49] - old[49]);
    return 0;
}

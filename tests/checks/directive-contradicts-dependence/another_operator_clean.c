// A sum, whose clause adds up, though a minus stands there.
#include <stdio.h>

int main(void)
{
    int v[600];
    for (int i = 0; i < 600; i++)
        v[i] = i * 37 % 101;
    int sum = 0;
    #pragma omp target teams distribute parallel for reduction(-: sum) map(tofrom: sum)
    for (int i = 0; i < 600; i++)
        sum -= v[i];
    printf("%d\n", sum);
    return 0;
}

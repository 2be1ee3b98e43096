// a comes back once.
#include <stdio.h>

int main(void)
{
    int a[80], sum = 0;
    for (int i = 0; i < 80; i++)
        a[i] = i;
    #pragma omp target enter data map(to: a)
    #pragma omp target teams distribute parallel for
    for (int i = 0; i < 80; i++)
        a[i] += 5;
    #pragma omp target update from(a)
    printf("%d\n", a[79]);
    #pragma omp target teams distribute parallel for map(tofrom: sum) reduction(+: sum)
    for (int i = 0; i < 80; i++)
        sum += a[i];
    printf("%d %d\n", a[0], sum);
    #pragma omp target exit data map(release: a)
    return 0;
}

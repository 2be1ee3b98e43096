// Shows: the function tests its input before it enters the environment.
#include <stdio.h>
#include <stdlib.h>

static int norm(const int *v, int n)
{
    int sum = 0;
    if (n < 100)
        return -1;
    #pragma omp target enter data map(to: v[0:n])
    #pragma omp target teams distribute parallel for map(tofrom: sum) reduction(+: sum)
    for (int i = 0; i < n; i++)
        sum += v[i] * v[i];
    #pragma omp target exit data map(delete: v[0:n])
    return sum;
}

int main(void)
{
    int few[50], many[200];
    for (int i = 0; i < 50; i++)
        few[i] = i;
    for (int i = 0; i < 200; i++)
        many[i] = i % 3;
    int small = norm(few, 50), large = norm(many, 200);
    printf("%d %d\n", small, large);
    return 0;
}

// Shows: the update from comes after the last kernel.
#include <stdio.h>

enum { LENGTH = 77 };
static int data[LENGTH];

int main(void)
{
    long sum = 0;
    for (int i = 0; i < LENGTH; i++)
        data[i] = i;
    #pragma omp target enter data map(to: data)
    #pragma omp target teams distribute parallel for
    for (int i = 0; i < LENGTH; i++)
        data[i] += 5;
    #pragma omp target teams distribute parallel for
    for (int i = 0; i < LENGTH; i++)
        data[i] *= 3;
    #pragma omp target update from(data)
    for (int i = 0; i < LENGTH; i++)
        sum += data[i];
    #pragma omp target exit data map(release: data)
    printf("%ld\n", sum);
    return 0;
}

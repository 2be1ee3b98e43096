// Shows: a is entered and left.
#include <stdio.h>

static int a[70], b[70];

int main(void)
{
    for (int i = 0; i < 70; i++)
        a[i] = b[i] = i;
    #pragma omp target enter data map(to: a)
    #pragma omp target teams distribute parallel for
    for (int i = 0; i < 70; i++)
        a[i] = 2 * a[i];
    #pragma omp target exit data map(from: a)
    for (int i = 0; i < 70; i++)
        printf("%d %d\n", a[i], b[i]);
    return 0;
}

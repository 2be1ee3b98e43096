// Shows: the first iteration is known by its number.
// judge: no race
#include <stdio.h>

int main(void)
{
    int first[300];
    #pragma omp parallel for
    for (int i = 0; i < 300; i++)
        first[i] = i == 0;
    printf("%d %d\n", first[0], 1);
    return 0;
}

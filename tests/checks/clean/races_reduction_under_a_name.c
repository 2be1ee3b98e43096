// The sum under one name is a reduction, so each thread has its own.
// judge: no race
#include <stdio.h>

int main(void)
{
    int sum = 0;
    #pragma omp parallel for reduction(+: sum)
    for (int i = 0; i < 300; i++) {
        #pragma omp critical(one)
        sum += i;
        #pragma omp critical(other)
        sum -= 1;
    }
    printf("%d\n", sum);
    return 0;
}

// The two names belong to two loops with a barrier between them.
// judge: no race
#include <stdio.h>

int main(void)
{
    int sum = 0;
    #pragma omp parallel
    {
        #pragma omp for
        for (int i = 0; i < 300; i++) {
            #pragma omp critical(adding)
            sum += i;
        }
        #pragma omp for
        for (int i = 0; i < 300; i++) {
            #pragma omp critical(dropping)
            sum -= 1;
        }
    }
    printf("%d\n", sum);
    return 0;
}

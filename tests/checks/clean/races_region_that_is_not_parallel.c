// A region with `if(0)` is run by one thread.
// judge: no race
#include <stdio.h>

int main(void)
{
    int count = 0;
    #pragma omp parallel for if(0)
    for (int i = 0; i < 100; i++) {
        #pragma omp critical(one)
        count++;
        #pragma omp critical(other)
        count++;
    }
    printf("%d\n", count);
    return 0;
}

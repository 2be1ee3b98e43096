// Under different names, each thread works on a variable of its own.
// judge: no race
#include <stdio.h>

static int own;
#pragma omp threadprivate(own)

int main(void)
{
    int total = 0, temporary = 0;
    #pragma omp parallel private(temporary)
    {
        temporary = 0;
        own = 0;
        #pragma omp critical(one)
        {
            temporary += 1;
            own += 1;
        }
        #pragma omp critical(other)
        {
            temporary += 1;
            own += 1;
        }
        #pragma omp critical(sum)
        total += temporary + own;
    }
    printf("%d\n", total > 0);
    return 0;
}

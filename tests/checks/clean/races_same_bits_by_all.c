// Shows: all threads set the same bit of one variable. No bit is lost, whoever comes first; by the letter of C it is a race.
#include <stdio.h>

int main(void)
{
    unsigned seen = 2;
    #pragma omp parallel
    {
        seen |= 1u;
        seen &= ~8u;
    }
    printf("%u\n", seen);
    return 0;
}

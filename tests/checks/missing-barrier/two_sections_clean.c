// Each section sets a variable of its own.
// judge: no race
#include <stdio.h>

int main(void)
{
    int state = 0, left = 0, right = 0;
    #pragma omp parallel sections
    {
        #pragma omp section
        {
            for (int i = 0; i < 1000; i++)
                left += i;
        }
        #pragma omp section
        {
            for (int i = 0; i < 1000; i++)
                right += i;
        }
    }
    state = left + right;
    printf("%d %d %d\n", left, right, state);
    return 0;
}

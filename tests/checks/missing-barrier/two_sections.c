// Shows: two sections of one construct set the same variable.
// judge: race
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
            state = left;
        }
        #pragma omp section
        {
            for (int i = 0; i < 1000; i++)
                right += i;
            state = right; // finds: missing-barrier state
        }
    }
    printf("%d %d %d\n", left, right, state);
    return 0;
}

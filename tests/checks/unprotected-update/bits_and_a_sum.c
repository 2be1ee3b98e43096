// Shows: all threads set the same bit, which loses nothing, and then add to the same variable, which does.
// judge: race
#include <stdio.h>

int main(void)
{
    unsigned calls = 0;
    #pragma omp parallel
    {
        calls |= 1u;
        for (int i = 0; i < 2000; i++)
            calls += 2u; // finds: unprotected-update calls
    }
    printf("%d\n", calls > 0);
    return 0;
}

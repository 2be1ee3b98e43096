// Shows: a function that every thread calls counts up a variable of its caller.
// judge: race
#include <stdio.h>

static void count(int *calls)
{
    *calls += 1; // finds: unprotected-update calls
}

int main(void)
{
    int calls = 0;
    #pragma omp parallel
    {
        for (int i = 0; i < 2000; i++)
            count(&calls);
    }
    printf("%d\n", calls > 0);
    return 0;
}

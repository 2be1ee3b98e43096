// Shows: a thread takes a number, and works on the element of another one, which all share.
// judge: race
#include <stdio.h>

static int next, done[64];

int main(void)
{
    int begun = 0;
    #pragma omp parallel num_threads(4)
    {
        int mine;
        #pragma omp atomic capture
        mine = next++;
        for (int i = 0; i < 2000; i++)
            done[63] += mine; // finds: unprotected-update done
        #pragma omp atomic
        begun++;
    }
    printf("%d\n", begun > 0);
    return 0;
}

// Shows: a global scalar is changed by the kernel of each step, but every kernel starts with the host's value.
#include <stdio.h>

static int seed = 7;

int main(void)
{
    int out[20];
    #pragma omp target data map(from: out)
    for (int step = 0; step < 20; step++) {
        #pragma omp target
        {
            seed = (seed * 13 + 5) % 101; // finds: scalar-change-lost seed
            out[step] = step;
        }
    }
    for (int i = 0; i < 20; i++)
        printf("%d\n", out[i]);
    printf("%d\n", seed); // finds: scalar-change-lost seed
    return 0;
}

// Shows: the array is freed inside of the structured environment, whose end copies into it.
// judge: same (the guard gives freed memory to nobody, so the late copy hurts nobody)
#include <stdio.h>
#include <stdlib.h>

static void consume(int *v, int n)
{
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum += v[i];
    printf("%d\n", sum);
    free(v); // finds: freed-while-mapped v
}

int main(int argc, char **argv)
{
    int n = 21 * argc, *v = malloc(n * sizeof *v);
    (void)argv;
    for (int i = 0; i < n; i++)
        v[i] = i;
    #pragma omp target data map(tofrom: v[0:n])
    {
        #pragma omp target teams distribute parallel for
        for (int i = 0; i < n; i++)
            v[i] *= 3;
        #pragma omp target update from(v[0:n])
        consume(v, n);
    }
    return 0;
}

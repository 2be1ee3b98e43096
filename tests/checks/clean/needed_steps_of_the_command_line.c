// Without arguments there is no step, and what was copied in comes back.
#include <stdio.h>

int main(int argc, char **argv)
{
    int v[40];
    for (int i = 0; i < 40; i++)
        v[i] = i;
    #pragma omp target map(tofrom: v)
    for (int t = 0; t < argc - 1; t++)
        for (int i = 0; i < 40; i++)
            v[i] = t;
    printf("%d\n", v[39]);
    (void)argv;
    return 0;
}

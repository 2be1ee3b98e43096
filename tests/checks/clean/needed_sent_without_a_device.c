// An update under a condition is needed where the condition holds.
#include <stdio.h>

int main(int argc, char **argv)
{
    int v[30], w[30];
    for (int i = 0; i < 30; i++)
        v[i] = i;
    #pragma omp target data map(to: v) map(from: w)
    {
        if (argc > 0)
            for (int i = 0; i < 30; i++)
                v[i] = -i;
        #pragma omp target update to(v) if(argc > 0)
        #pragma omp target teams distribute parallel for
        for (int i = 0; i < 30; i++)
            w[i] = v[i];
    }
    printf("%d\n", w[29]);
    (void)argv;
    return 0;
}

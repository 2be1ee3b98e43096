// Only one of two branches reads what the update brings.
#include <stdio.h>

int main(int argc, char **argv)
{
    int v[30];
    for (int i = 0; i < 30; i++)
        v[i] = i;
    #pragma omp target data map(to: v)
    {
        #pragma omp target teams distribute parallel for
        for (int i = 0; i < 30; i++)
            v[i] += 3;
        #pragma omp target update from(v)
        if (argc > 100)
            printf("many\n");
        else
            printf("%d\n", v[29]);
    }
    (void)argv;
    return 0;
}

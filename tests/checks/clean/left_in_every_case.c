// A case is left under a condition that its value fulfils: the next one, which the host runs, is not entered from there.
#include <stdio.h>

int main(int argc, char **argv)
{
    int v[40];
    for (int i = 0; i < 40; i++)
        v[i] = 3 * i;
    #pragma omp target data map(tofrom: v)
    {
        switch (argc) {
        case 1:
            ;
            #pragma omp target
            for (int i = 0; i < 40; i++)
                v[i]++;
            if (argc < 9)
                break;
        // fall through
        case 2: {
            #pragma omp target update from(v[1:39])
            v[0]++;
            #pragma omp target update to(v[0:1])
        }
        }
    }
    printf("%d %d\n", v[0], v[39]);
    (void)argv;
    return 0;
}

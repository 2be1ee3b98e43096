// A case with a kernel falls into one with an update, which is of something else.
#include <stdio.h>

enum { COUNT = 30 };

int main(int argc, char **argv)
{
    int v[COUNT], w[COUNT], sum = 0;
    for (int i = 0; i < COUNT; i++)
        v[i] = w[i] = i;
    #pragma omp target data map(tofrom: v, w)
    {
        switch (argc + 1) {
        case 2:
            #pragma omp target
            for (int i = 0; i < COUNT; i++)
                v[i] += w[i];
        // fall through
        case 1: {
            #pragma omp target update from(w)
        }
        }
        for (int i = 0; i < COUNT; i++)
            sum += v[i]; // finds: stale-host-read v
    }
    printf("%d\n", sum);
    (void)argv;
    return 0;
}

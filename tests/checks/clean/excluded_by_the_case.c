// What the host does behind a kernel in a case, it does only for values that the case excludes.
#include <stdio.h>

enum { COUNT = 20 };

static int step(int *v, int how, int times)
{
    int sum = 0;
    #pragma omp target data map(tofrom: v[0:COUNT])
    {
        switch (how) {
        case 1:
            ;
            #pragma omp target
            for (int i = 0; i < COUNT; i++)
                v[i] += 3;
            if (how >= 9)
                v[0]++;
            for (int t = 0; t < times; t++)
                if (how == 2)
                    sum += v[t];
            if (how < 9)
                break;
        // fall through
        case 2:
            sum += v[0];
        }
    }
    return sum + v[0];
}

int main(int argc, char **argv)
{
    int v[COUNT] = {1, 2, 3};
    int first = step(v, argc, 3), second = step(v, 2, 3);
    printf("%d %d\n", first, second);
    (void)argv;
    return 0;
}

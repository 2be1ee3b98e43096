// The case in which the host writes is not the one in which a kernel has written, and no value comes to a third.
#include <stdio.h>

static int by_kernel(int *v, int how)
{
    int sum = 0;
    #pragma omp target data map(tofrom: v[0:9])
    {
        switch (how) {
        default:
            #pragma omp target
            for (int i = 0; i < 9; i++)
                v[i] = i * how;
            #pragma omp target update from(v[0:9])
            break;
        case 5:
            for (int i = 0; i < 9; i++)
                v[i] = -i;
            #pragma omp target update to(v[0:9])
        }
        int three = 3;
        switch (three) {
        case 4:
            v[0] = 100;
            break;
        }
        for (int i = 0; i < 9; i++)
            sum += v[i];
        #pragma omp target
        for (int i = 0; i < 9; i++)
            v[i] += 1;
    }
    return sum + v[8];
}

int main(int argc, char **argv)
{
    int v[9] = {0};
    int first = by_kernel(v, argc), second = by_kernel(v, 5);
    printf("%d %d\n", first, second);
    (void)argv;
    return 0;
}

// Shows: only the first iteration reads on the host, before anything was written on the device.
#include <stdio.h>

int main(int argc, char **argv)
{
    static int a[100];
    int steps = 3 + argc;
    (void)argv;
    for (int i = 0; i < 100; i++)
        a[i] = 2 * i;
    #pragma omp target data map(tofrom: a)
    for (int step = 0; step < steps; step++) {
        if (step == 0)
            printf("%d\n", a[3]);
        #pragma omp target teams distribute parallel for
        for (int i = 0; i < 100; i++)
            a[i] += 5;
    }
    printf("%d\n", a[3]);
    return 0;
}

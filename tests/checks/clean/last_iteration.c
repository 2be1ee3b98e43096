// Shows: the last iteration brings the data back.
#include <stdio.h>

static void run(int *a, int n, int steps)
{
    for (int step = 0; step < steps; step++) {
        #pragma omp target teams distribute parallel for
        for (int i = 0; i < n; i++)
            a[i] += step;
        if (step == steps - 1) {
            #pragma omp target update from(a[0:n])
        }
    }
    printf("%d\n", a[3]);
}

int main(int argc, char **argv)
{
    static int a[100];
    (void)argv;
    for (int i = 0; i < 100; i++)
        a[i] = i;
    #pragma omp target data map(to: a)
    run(a, 100, 4 + argc);
    return 0;
}

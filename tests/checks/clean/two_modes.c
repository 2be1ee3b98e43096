// Shows: two kernels under two conditions, and one update under either of them.
#include <stdio.h>

static void run(int *a, int n, int mode)
{
    if (mode == 1) {
        #pragma omp target teams distribute parallel for
        for (int i = 0; i < n; i++)
            a[i] += 1;
    } else if (mode == 2) {
        #pragma omp target teams distribute parallel for
        for (int i = 0; i < n; i++)
            a[i] *= 2;
    }
    if (mode == 1 || mode == 2) {
        #pragma omp target update from(a[0:n])
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
    {
        run(a, 100, argc);
        run(a, 100, argc + 1);
        run(a, 100, argc + 2);
    }
    return 0;
}

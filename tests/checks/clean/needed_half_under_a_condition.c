// Shows: the second half is read if the user wants it.
#include <stdio.h>

int main(int argc, char **argv)
{
    (void)argv;
    int a[200], b[100];
    for (int i = 0; i < 200; i++)
        a[i] = i;
    #pragma omp target data map(to: a) map(from: b)
    {
        #pragma omp target teams distribute parallel for
        for (int i = 0; i < 100; i++)
            b[i] = a[i];
        if (argc > 1) {
            #pragma omp target teams distribute parallel for
            for (int i = 0; i < 100; i++)
                b[i] = a[i + 100];
        }
    }
    printf("%d %d\n", b[0], b[99]);
    return 0;
}

// Shows: the host clears the result inside of the environment; the copy-back replaces it by the device's, which is what counts.
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    int n = 42, *r = malloc(n * sizeof *r);
    #pragma omp target data map(from: r[0:n])
    {
        for (int i = 0; i < n; i++)
            r[i] = 0;
        #pragma omp target teams distribute parallel for
        for (int i = 0; i < n; i++)
            r[i] = i + 11;
    }
    for (int i = 0; i < n; i++)
        printf("%d\n", r[i]);
    free(r);
    return 0;
}

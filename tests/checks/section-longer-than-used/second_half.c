// The result fills the second half of a; the first half comes back as it went.
// judge: same (nothing is lost)
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    (void)argv;
    int n = 60 + 2 * argc;
    int *a = malloc(2 * n * sizeof *a);
    for (int i = 0; i < 2 * n; i++)
        a[i] = -i;
    #pragma omp target teams distribute parallel for map(tofrom: a[0:2 * n]) // finds: section-longer-than-used a
    for (int i = n; i < 2 * n; i++)
        a[i] = a[i] + 1;
    printf("%d %d %d\n", a[0], a[n], a[2 * n - 1]);
    free(a);
    return 0;
}

// What a pointer leads to is copied to the device.
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    int n = 50;
    int *v = malloc(n * sizeof *v);
    for (int i = 0; i < n; i++)
        v[i] = i;
    #pragma acc parallel loop copy(v[0:n])
    for (int i = 0; i < n; i++)
        v[i] *= v[i];
    printf("%d\n", v[n - 1]);
    free(v);
    return 0;
}

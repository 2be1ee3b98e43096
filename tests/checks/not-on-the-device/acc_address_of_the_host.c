// A pointer to memory of the host is taken for one of the device.
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    int n = 50;
    int *v = malloc(n * sizeof *v);
    for (int i = 0; i < n; i++)
        v[i] = i;
    #pragma acc parallel loop deviceptr(v)
    for (int i = 0; i < n; i++)
        v[i] *= v[i]; // finds: not-on-the-device v
    printf("%d\n", v[n - 1]);
    free(v);
    return 0;
}

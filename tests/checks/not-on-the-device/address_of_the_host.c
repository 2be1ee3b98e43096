// The kernel takes the pointer for an address on the device; nobody has asked for one.
#include <stdio.h>
#include <stdlib.h>

static void scale(int n, double *on_device)
{
    #pragma omp target teams distribute parallel for is_device_ptr(on_device)
    for (int i = 0; i < n; i++)
        on_device[i] *= 2; // finds: not-on-the-device on_device
}

int main(void)
{
    int n = 60;
    double *v = malloc(n * sizeof *v), sum = 0;
    for (int i = 0; i < n; i++)
        v[i] = i;
    #pragma omp target data map(tofrom: v[0:n])
    {
        scale(n, v);
    }
    for (int i = 0; i < n; i++)
        sum += v[i];
    printf("%.0f\n", sum);
    free(v);
    return 0;
}

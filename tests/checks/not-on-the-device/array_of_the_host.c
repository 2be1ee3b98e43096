// An array of the host is handed over as an address of the device.
#include <stdio.h>

#define N 40

int main(void)
{
    double v[N], *p = v;
    for (int i = 0; i < N; i++)
        v[i] = i;
    #pragma omp target is_device_ptr(p)
    for (int i = 0; i < N; i++)
        p[i] += 1; // finds: not-on-the-device p
    for (int i = 0; i < N; i++)
        printf("%g\n", v[i]);
    return 0;
}

// Shows: update device, where update self was meant: the host prints its old elements and the device loses its new ones.
#include <stdio.h>

int main(void)
{
    double w[80];
    for (int i = 0; i < 80; i++)
        w[i] = i;
    #pragma acc data copy(w)
    {
        #pragma acc parallel loop
        for (int i = 0; i < 80; i++)
            w[i] = w[i] + 0.25;
        #pragma acc update device(w)
        #pragma acc parallel loop
        for (int i = 0; i < 80; i++)
            w[i] = w[i] * 4; // finds: device-write-overwritten w
    }
    for (int i = 0; i < 80; i++)
        printf("%g\n", w[i]);
    return 0;
}

// Shows: the kernel writes where a mask is set and copies all back; the host reads just these elements.
#include <stdio.h>

int main(void)
{
    static int mask[100], a[100];
    for (int i = 0; i < 100; i++) {
        mask[i] = i % 3 == 0;
        a[i] = -1;
    }
    #pragma omp target teams distribute parallel for map(to: mask) map(from: a)
    for (int i = 0; i < 100; i++)
        if (mask[i])
            a[i] = i;
    for (int i = 0; i < 100; i++)
        if (mask[i])
            printf("%d\n", a[i]);
    return 0;
}

// No clause names a; all of it is copied both ways.
// judge: same (nothing is lost)
#include <stdio.h>

static int a[512];

int main(void)
{
    for (int i = 0; i < 512; i++)
        a[i] = i;
    #pragma omp target teams distribute parallel for // finds: section-longer-than-used a
    for (int i = 0; i < 128; i++)
        a[i] = 2 * a[i];
    printf("%d %d\n", a[127], a[511]);
    return 0;
}

// A clause says that c only comes back.
#include <stdio.h>

static int c[128];

int main(void)
{
    #pragma omp target teams distribute parallel for map(from: c)
    for (int i = 0; i < 128; i++)
        c[i] = 7 * i;
    printf("%d\n", c[127]);
    return 0;
}

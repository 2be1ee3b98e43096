// A data region around the loop keeps it.
#include <stdio.h>

int main(void)
{
    int v[48];
    for (int i = 0; i < 48; i++)
        v[i] = i;
    #pragma acc data copy(v)
    for (int t = 0; t < 4; t++) {
        #pragma acc parallel loop copy(v)
        for (int i = 0; i < 48; i++)
            v[i] += 3;
        #pragma acc parallel loop copy(v)
        for (int i = 0; i < 48; i++)
            v[i] *= 2;
    }
    printf("%d\n", v[47]);
    return 0;
}

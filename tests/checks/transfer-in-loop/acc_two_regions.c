// Two regions in a loop copy the same array.
// judge: same (nothing is lost)
#include <stdio.h>

int main(void)
{
    int v[48];
    for (int i = 0; i < 48; i++)
        v[i] = i;
    for (int t = 0; t < 4; t++) {
        #pragma acc parallel loop copy(v) // finds: transfer-in-loop v
        for (int i = 0; i < 48; i++)
            v[i] += 3;
        #pragma acc parallel loop copy(v) // finds: transfer-in-loop v
        for (int i = 0; i < 48; i++)
            v[i] *= 2;
    }
    printf("%d\n", v[47]);
    return 0;
}

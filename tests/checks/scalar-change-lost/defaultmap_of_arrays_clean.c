// `defaultmap(tofrom: …)` is about scalars; arrays come back in any case.
#include <stdio.h>

int main(void)
{
    int v[50] = {0}, last = -1;
    #pragma omp target defaultmap(tofrom: scalar)
    for (int i = 0; i < 50; i++) {
        v[i] = i;
        last = i;
    }
    printf("%d %d\n", v[49], last);
    return 0;
}

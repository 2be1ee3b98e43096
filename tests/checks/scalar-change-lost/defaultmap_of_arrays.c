// `defaultmap(tofrom: …)` is about arrays; the scalar is copied all the same.
#include <stdio.h>

int main(void)
{
    int v[50] = {0}, last = -1;
    #pragma omp target defaultmap(tofrom: aggregate)
    for (int i = 0; i < 50; i++) {
        v[i] = i;
        last = i;
    }
    printf("%d %d\n", v[49], last); // finds: scalar-change-lost last
    return 0;
}

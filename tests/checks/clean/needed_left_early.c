// The kernel fills v up to the first negative number.
#include <stdio.h>

int main(void)
{
    int limit[30], v[30];
    for (int i = 0; i < 30; i++) {
        limit[i] = 20 - i;
        v[i] = 9;
    }
    #pragma omp target map(to: limit) map(tofrom: v)
    for (int i = 0; i < 30; i++) {
        if (limit[i] < 0)
            break;
        v[i] = i;
    }
    printf("%d %d\n", v[20], v[21]);
    return 0;
}

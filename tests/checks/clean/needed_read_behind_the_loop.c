// Only behind the loop is v read, and each step needs what the one before has brought back: the host adds to w meanwhile.
#include <stdio.h>

int main(void)
{
    int v[30], w[30];
    for (int i = 0; i < 30; i++)
        v[i] = w[i] = i;
    for (int t = 0; t < 5; t++) {
        #pragma omp target teams distribute parallel for map(tofrom: v)
        for (int i = 0; i < 30; i++)
            v[i] += 1;
        for (int i = 0; i < 30; i++)
            w[i] += v[i];
    }
    printf("%d %d\n", v[29], w[29]);
    return 0;
}

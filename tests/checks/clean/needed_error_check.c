// The flag comes back in every iteration, and ends the program.
#include <stdio.h>

static int step(int t, int n, int *v)
{
    int bad = 0;
    #pragma omp target teams distribute parallel for map(tofrom: bad) reduction(|: bad)
    for (int i = 0; i < n; i++) {
        v[i] += t;
        if (v[i] > 1000)
            bad |= 1;
    }
    return bad;
}

int main(void)
{
    int v[30], result = 0;
    for (int i = 0; i < 30; i++)
        v[i] = i;
    #pragma omp target data map(tofrom: v)
    for (int t = 0; t < 100; t++)
        if (step(t, 30, v)) {
            result = t;
            break;
        }
    printf("%d %d\n", result, v[29]);
    return 0;
}

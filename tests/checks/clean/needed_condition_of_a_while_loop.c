// The error is read by the condition of the loop around the kernel.
#include <stdio.h>

int main(void)
{
    int v[30], error = 100, steps = 0;
    for (int i = 0; i < 30; i++)
        v[i] = i;
    #pragma omp target data map(tofrom: v)
    while (error > 10) {
        error = 0;
        #pragma omp target teams distribute parallel for map(tofrom: error) reduction(max: error)
        for (int i = 0; i < 30; i++) {
            v[i] /= 2;
            if (v[i] > error)
                error = v[i];
        }
        steps++;
    }
    printf("%d %d\n", steps, v[29]);
    return 0;
}

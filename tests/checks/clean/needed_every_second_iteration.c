// Every second step the host changes v, and sends it.
#include <stdio.h>

int main(void)
{
    int v[30];
    for (int i = 0; i < 30; i++)
        v[i] = i;
    #pragma omp target data map(tofrom: v)
    for (int t = 0; t < 6; t++) {
        if (t % 2 == 0) {
            #pragma omp target update from(v)
            for (int i = 0; i < 30; i++)
                v[i] += t;
            #pragma omp target update to(v)
        }
        #pragma omp target teams distribute parallel for
        for (int i = 0; i < 30; i++)
            v[i] *= 2;
    }
    printf("%d %d\n", v[0], v[29]);
    return 0;
}

// The structure is copied when it is mapped.
#include <stdio.h>

struct settings {
    int factor, offset;
    int weight[10];
};

int main(void)
{
    struct settings s = {2, 1, {0}};
    int v[40];
    for (int i = 0; i < 10; i++)
        s.weight[i] = i;
    for (int i = 0; i < 40; i++)
        v[i] = i;
    #pragma omp target data map(to: s) map(tofrom: v)
    for (int t = 0; t < 3; t++) {
        #pragma omp target teams distribute parallel for
        for (int i = 0; i < 40; i++)
            v[i] = v[i] * s.factor + s.offset + s.weight[i % 10];
        printf("%d\n", s.factor);
    }
    printf("%d %d\n", v[0], v[39]);
    return 0;
}

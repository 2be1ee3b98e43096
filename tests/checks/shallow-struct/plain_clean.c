// Shows: the structure is mapped, and the section of its member too.
#include <stdio.h>
#include <stdlib.h>

struct vector {
    int n;
    int *data;
};

int main(void)
{
    struct vector v = {70, NULL};
    int sum = 0;
    v.data = malloc(v.n * sizeof *v.data);
    for (int i = 0; i < v.n; i++)
        v.data[i] = i;
    #pragma omp target map(to: v, v.data[0:v.n]) map(tofrom: sum)
    for (int i = 0; i < v.n; i++)
        sum += v.data[i];
    printf("%d\n", sum);
    free(v.data);
    return 0;
}

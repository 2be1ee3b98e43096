// Shows: map(to: v[0:n]) maps the elements.
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    int n = 64, *v = malloc(n * sizeof *v), sum = 0;
    for (int i = 0; i < n; i++)
        v[i] = 2 * i;
    #pragma omp target map(to: v[0:n]) map(tofrom: sum)
    for (int i = 0; i < n; i++)
        sum += v[i];
    printf("%d\n", sum);
    free(v);
    return 0;
}

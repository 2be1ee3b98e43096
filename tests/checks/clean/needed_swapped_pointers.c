// After an odd number of exchanges the result is in the other array.
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    int n = 30;
    int *a = malloc(n * sizeof *a), *b = malloc(n * sizeof *b);
    for (int i = 0; i < n; i++) {
        a[i] = i;
        b[i] = -1;
    }
    int *now = a, *next = b;
    for (int t = 0; t < 5; t++) {
        #pragma omp target teams distribute parallel for map(to: now[0:n]) map(tofrom: next[0:n])
        for (int i = 1; i < n - 1; i++)
            next[i] = now[i - 1] + now[i + 1];
        int *old = now;
        now = next;
        next = old;
    }
    printf("%d %d\n", now[1], next[1]);
    free(a);
    free(b);
    return 0;
}

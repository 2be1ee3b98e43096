/* The length in the map clause is computed in int: OVERFLOWS for a large size, although the loop does not. */
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    int n = 70000, m = 70000, used = 5;
    int *a = calloc(used, sizeof *a);
#ifdef OVERFLOWS
#define LENGTH (n * m > 0 ? used : used - 1)
#else
#define LENGTH ((long)n * m > 0 ? used : used - 1)
#endif
#pragma omp target teams distribute parallel for map(tofrom: a[0:LENGTH])
    for (int i = 0; i < used; i++) a[i] = i + n - m;
    printf("%d\n", a[4]);
    free(a);
    return 0;
}

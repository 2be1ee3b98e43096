/* Two neighbouring iterations write one element (BOTH), or each its own. */
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    int n = 1001;
    int *p = calloc(n, sizeof *p);
#pragma omp target teams distribute parallel for map(tofrom: p[0:n])
    for (int i = 0; i < n; i++) {
#ifdef BOTH
        p[i / 2] = i;
#else
        p[i] = i / 2;
#endif
    }
    long sum = 0;
    for (int i = 0; i < n; i++) sum += p[i];
    printf("%ld\n", sum);
    free(p);
    return 0;
}

/* A sum over an array: on threads, and (TEAMS) on teams of one thread. NO_REDUCTION forgets the clause. */
#include <stdio.h>
#include <stdlib.h>

#ifdef NO_REDUCTION
#define REDUCTION
#else
#define REDUCTION reduction(+: sum)
#endif

int main(void) {
    int n = 2003;
    int *a = malloc(n * sizeof *a);
    for (int i = 0; i < n; i++) a[i] = i % 17;
    long sum = 0;
#if defined TEAMS
#pragma omp target teams distribute map(to: a[0:n]) map(tofrom: sum) REDUCTION
#elif defined HOST
#pragma omp parallel for REDUCTION
#else
#pragma omp target teams distribute parallel for map(to: a[0:n]) map(tofrom: sum) REDUCTION
#endif
    for (int i = 0; i < n; i++) sum += a[i];
    printf("%ld\n", sum);
    free(a);
    return 0;
}

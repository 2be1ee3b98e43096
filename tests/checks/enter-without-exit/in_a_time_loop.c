// Shows: each step enters the environment again; there is one exit behind the loop.
// judge: same (the count grows, but the values come back by update)
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    int n = 30, *u = calloc(n, sizeof *u);
    for (int step = 0; step < 4; step++) {
        #pragma omp target enter data map(to: u[0:n]) // finds: enter-without-exit u
        #pragma omp target teams distribute parallel for
        for (int i = 0; i < n; i++)
            u[i] += i;
        #pragma omp target update from(u[0:n])
    }
    #pragma omp target exit data map(release: u[0:n])
    for (int i = 0; i < n; i++)
        printf("%d\n", u[i]);
    return 0;
}

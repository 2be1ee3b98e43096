// Shows: every tenth step the field comes back for output; the host sets the boundary and sends it in every step.
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    int n = 60, steps = 30;
    int *u = calloc(n, sizeof *u), *v = calloc(n, sizeof *v);
    #pragma omp target data map(to: u[0:n]) map(alloc: v[0:n])
    for (int step = 0; step < steps; step++) {
        u[0] = step % 7;
        #pragma omp target update to(u[0:1])
        #pragma omp target teams distribute parallel for
        for (int i = 1; i < n; i++)
            v[i] = (u[i - 1] + u[i]) % 1000;
        #pragma omp target teams distribute parallel for
        for (int i = 1; i < n; i++)
            u[i] = v[i];
        if (step % 10 == 9) {
            #pragma omp target update from(u[1:n - 1])
            for (int i = 0; i < n; i++)
                printf("%d ", u[i]);
            printf("\n");
        }
    }
    free(u);
    free(v);
    return 0;
}

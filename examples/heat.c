/* Heat in a plate: explicit time steps on a square grid, then statistics over the result.
 * An ordinary sequential C program; `./dev demo` shows what Ferry makes of it. */
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 129
#endif
#ifndef STEPS
#define STEPS 40
#endif

static void heat(int n, int steps, double *restrict now, double *restrict next) {
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++) {
            for (int j = 1; j < n - 1; j++) {
                next[i * n + j] = now[i * n + j] + 0.125 * (now[(i - 1) * n + j] + now[(i + 1) * n + j] +
                                                            now[i * n + j - 1] + now[i * n + j + 1] -
                                                            4.0 * now[i * n + j]);
            }
        }
        for (int i = 1; i < n - 1; i++) {
            for (int j = 1; j < n - 1; j++) {
                now[i * n + j] = next[i * n + j];
            }
        }
    }
}

static int count_warm(int n, const double *plate, double limit) {
    int warm = 0;
    for (int i = 0; i < n * n; i++) {
        if (plate[i] > limit) {
            warm += 1;
        }
    }
    return warm;
}

/* Each row's running total: every element needs the one before it. */
static void accumulate(int n, double *row) {
    for (int j = 1; j < n; j++) {
        row[j] = row[j] + row[j - 1];
    }
}

int main(void) {
    int n = N;
    double *now = malloc((size_t)n * n * sizeof *now);
    double *next = malloc((size_t)n * n * sizeof *next);
    if (!now || !next) {
        return 1;
    }
    for (int i = 0; i < n * n; i++) {
        now[i] = 0.0;
        next[i] = 0.0;
    }
    now[(n / 2) * n + n / 2] = 1024.0;
    heat(n, STEPS, now, next);
    printf("warm cells: %d\n", count_warm(n, now, 0.5));
    printf("centre: %.6f\n", now[(n / 2) * n + n / 2]);
    accumulate(n, now + (n / 2) * n);
    printf("middle row: %.6f\n", now[(n / 2) * n + n - 1]);
    free(now);
    free(next);
    return 0;
}

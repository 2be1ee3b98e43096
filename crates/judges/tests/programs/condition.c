/* A kernel under a run-time condition: the ordinary call makes it true, `overlap` makes it false. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static void kernel_shift(int n, int *a, const int *b) {
    if ((uintptr_t)(a + n) <= (uintptr_t)b || (uintptr_t)(b + n) <= (uintptr_t)a) {
#pragma omp target teams distribute parallel for map(from: a[0:n]) map(to: b[0:n])
        for (int i = 0; i < n; i++) a[i] = b[i] + 1;
    } else {
        for (int i = 0; i < n; i++) a[i] = b[i] + 1;
    }
}

int main(int count, char **arguments) {
    (void)arguments;
    int n = 301;
    int *a = malloc((2 * n + 1) * sizeof *a);
    for (int i = 0; i < 2 * n + 1; i++) a[i] = i;
    kernel_shift(n, a + 1, count > 1 ? a : a + n + 1);
    printf("%d %d %d\n", a[1], a[2], a[n]);
    free(a);
    return 0;
}

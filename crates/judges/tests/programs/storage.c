/* A kernel reaches an array with static or automatic storage through a pointer. UNMAPPED leaves the array where it
 * is; WRITES makes the kernel write it. */
#include <stdio.h>

static int table[77];

static void kernel_use(int n, int *p, int *out) {
#ifdef UNMAPPED
#pragma omp target teams distribute parallel for is_device_ptr(p) map(tofrom: out[0:n])
#else
#pragma omp target teams distribute parallel for map(tofrom: p[0:n], out[0:n])
#endif
    for (int i = 0; i < n; i++) {
#ifdef WRITES
        p[i] = out[i];
#else
        out[i] += p[i];
#endif
    }
}

int main(void) {
    int local[77], out[77];
    for (int i = 0; i < 77; i++) {
        table[i] = i;
        local[i] = 2 * i;
        out[i] = 100 + i;
    }
#ifdef STACK
    kernel_use(77, local, out);
#else
    kernel_use(77, table, out);
#endif
    long sum = 0;
    for (int i = 0; i < 77; i++) sum += (i + 1) * (table[i] + 3L * local[i] + 5L * out[i]);
    printf("%ld\n", sum);
    return 0;
}

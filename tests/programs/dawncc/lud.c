// lud: LU decomposition in place, the shape of Rodinia's LUD, one matrix in a linear array.
// sizes: -DSIZE=51
// variants: long split
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef SIZE
#define SIZE 37
#endif

/* The matrix is the product of these two, so that every step of the decomposition has an integer result. */
#define LOWER(i, k) ((k) == (i) ? 1 : ((i) + 2 * (k)) % 3 - 1)
#define UPPER(k, j) ((k) == (j) ? ((k) % 2 ? 2 : -1) : ((k) * 2 + (j)) % 5 - 2)

void kernel_lud(float *a, int size)
{
    float sum;

    for (int i = 0; i < size; i++) { // loop: sequential, pair(+5 a[i * size + j], +4 a[k * size + j]), because row i uses the rows above it
        for (int j = i; j < size; j++) { // loop: parallel, private(sum)
            sum = a[i * size + j];
            for (int k = 0; k < i; k++) // loop: parallel, reduction(+:sum)
                sum -= a[i * size + k] * a[k * size + j];
            a[i * size + j] = sum;
        }

        for (int j = i + 1; j < size; j++) { // loop: parallel, private(sum)
            sum = a[j * size + i];
            for (int k = 0; k < i; k++) // loop: parallel, reduction(+:sum)
                sum -= a[j * size + k] * a[k * size + i];
            a[j * size + i] = sum / a[i * size + i];
        }
    }
}

static void show(const char *name, const float *a, int n)
{
    uint64_t sum = 0;
    for (int i = 0; i < n; i++) // loop: parallel, reduction(+:sum)
        sum += (uint64_t)(int64_t)(a[i] * 4096.0) * (uint64_t)(2 * i + 1);
    printf("%s: %016llx first %g middle %g last %g\n", name, (unsigned long long)sum, a[0], a[n / 2], a[n - 1]);
}

int main(void)
{
    float *a = malloc(SIZE * SIZE * sizeof(float));
    if (!a)
        return 1;

    for (int i = 0; i < SIZE; i++) { // loop: parallel
        for (int j = 0; j < SIZE; j++) { // loop: parallel
            int sum = 0;
            for (int k = 0; k <= (i < j ? i : j); k++) // loop: parallel, reduction(+:sum)
                sum += LOWER(i, k) * UPPER(k, j);
            a[i * SIZE + j] = (float)sum;
        }
    }
    show("before", a, SIZE * SIZE);
    kernel_lud(a, SIZE);
    show("after", a, SIZE * SIZE);
    for (int i = 0; i < 5; i++) // loop: sequential, because printf
        printf("%g %g %g\n", a[i], a[i * SIZE + i], a[(SIZE - 1) * SIZE + i]);
    kernel_lud(a, 1);
    kernel_lud(a, 0);
    show("again", a, SIZE * SIZE);

    free(a);
    return 0;
}

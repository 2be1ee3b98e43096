// enough: work arrays that are filled as far as they are used, if a length is not less than another one.
// sizes: -DROWS=19 -DWIDTH=12
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef ROWS
#define ROWS 15
#endif
#ifndef WIDTH
#define WIDTH 9
#endif

static void fill(int *v, int n, int step)
{
    for (int i = 0; i < n; i++) // loop: parallel
        v[i] = (i * step + i / 7) % 11 - 5;
}

static void show(const char *name, const int *v, int n)
{
    uint64_t sum = 0;
    for (int i = 0; i < n; i++) // loop: parallel, reduction(+:sum)
        sum += (uint64_t)v[i] * (uint64_t)(2 * i + 1);
    printf("%s: %016llx first %d middle %d last %d\n", name, (unsigned long long)sum, v[0], v[n / 2], v[n - 1]);
}

/* What is used of a row beyond what is filled is another row's. */
void kernel_row(int rows, int filled, int used, const int *restrict in, int *restrict out)
{
    int row[WIDTH] = {1};
    for (int i = 0; i < rows; i++) { // loop: parallel_if, private(row) // filled >= used
        for (int j = 0; j < filled; j++) // loop: parallel
            row[j] = in[i * WIDTH + j] + i;
        for (int j = 0; j < used; j++) // loop: parallel
            out[i * WIDTH + j] = 2 * row[j];
    }
}

/* Two elements to either side: five at least must be filled. */
void kernel_ends(int rows, int filled, const int *restrict in, int *restrict out)
{
    int row[WIDTH] = {2};
    for (int i = 0; i < rows; i++) { // loop: parallel_if, private(row) // filled >= 4
        for (int j = 0; j < filled; j++) // loop: parallel
            row[j] = in[i * WIDTH + j] - i;
        out[i] = row[0] + row[1] - row[2] + row[3];
    }
}

int main(void)
{
    int n = ROWS * WIDTH;
    int *in = malloc((size_t)n * sizeof(int));
    int *out = malloc((size_t)n * sizeof(int));
    if (!in || !out)
        return 1;
    fill(in, n, 7);
    fill(out, n, 3);
    kernel_row(ROWS, WIDTH, WIDTH - 1, in, out);
    show("filled", out, n);
    kernel_row(ROWS, WIDTH - 3, WIDTH, in, out);
    show("not filled", out, n);
    kernel_ends(ROWS, WIDTH, in, out);
    show("ends", out, n);
    kernel_ends(ROWS, 2, in, out);
    show("no ends", out, n);
    free(in);
    free(out);
    return 0;
}

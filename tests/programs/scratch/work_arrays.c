// work_arrays: arrays, structures and scalars in memory that every iteration fills and then uses, and some that it does not.
// sizes: -DROWS=23 -DCOLUMNS=11
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef ROWS
#define ROWS 17
#endif
#ifndef COLUMNS
#define COLUMNS 7
#endif

struct cell {
    int left;
    int right;
    int both[2];
};

static int line[COLUMNS];
static int pivot;
static int kept[COLUMNS];
static int seen_by_two[3];

static void fill(int *v, int n, int step)
{
    for (int i = 0; i < n; i++) // loop: parallel
        v[i] = (i * step + i / 5) % 13 - 6;
}

static void show(const char *name, const int *v, int n)
{
    uint64_t sum = 0;
    for (int i = 0; i < n; i++) // loop: parallel, reduction(+:sum)
        sum += (uint64_t)v[i] * (uint64_t)(2 * i + 1);
    printf("%s: %016llx first %d middle %d last %d\n", name, (unsigned long long)sum, v[0], v[n / 2], v[n - 1]);
}

/* Each row backwards, by way of a local array. */
void kernel_reverse(int rows, const int *restrict in, int *restrict out)
{
    int row[COLUMNS];
    for (int i = 0; i < rows; i++) { // loop: parallel, private(row)
        for (int j = 0; j < COLUMNS; j++) // loop: parallel
            row[j] = in[i * COLUMNS + j];
        for (int j = 0; j < COLUMNS; j++) // loop: parallel
            out[i * COLUMNS + j] = row[COLUMNS - 1 - j] + i;
    }
}

/* The work array is static, and only this function uses it. */
void kernel_smooth(int rows, const int *restrict in, int *restrict out)
{
    for (int i = 0; i < rows; i++) { // loop: parallel, private(line)
        for (int j = 0; j < COLUMNS; j++) // loop: parallel
            line[j] = 2 * in[i * COLUMNS + j] - i;
        for (int j = 1; j < COLUMNS - 1; j++) // loop: parallel
            out[i * COLUMNS + j] = line[j - 1] + line[j] + line[j + 1];
        out[i * COLUMNS] = line[0];
        out[i * COLUMNS + COLUMNS - 1] = line[COLUMNS - 1];
    }
}

/* A structure, an array of two dimensions and a static scalar. */
void kernel_cells(int rows, const int *restrict in, int *restrict out)
{
    struct cell c;
    int square[2][COLUMNS];
    for (int i = 0; i < rows; i++) { // loop: parallel, private(c), private(square), private(pivot)
        pivot = in[i * COLUMNS];
        c.left = pivot + in[i * COLUMNS + 1];
        c.right = in[i * COLUMNS + COLUMNS - 1] - pivot;
        c.both[0] = c.left * 3;
        c.both[1] = c.right + i;
        for (int r = 0; r < 2; r++) // loop: parallel
            for (int j = 0; j < COLUMNS; j++) // loop: parallel
                square[r][j] = c.both[r] + j;
        for (int j = 0; j < COLUMNS; j++) // loop: parallel
            out[i * COLUMNS + j] = square[0][j] * square[1][COLUMNS - 1 - j];
    }
}

/* The last row is used after the loop: every iteration writes all of it. */
void kernel_last(int rows, const int *restrict in, int *restrict out)
{
    int row[COLUMNS];
    for (int j = 0; j < COLUMNS; j++) // loop: parallel
        row[j] = -1;
    for (int i = 0; i < rows; i++) { // loop: parallel, lastprivate(row)
        for (int j = 0; j < COLUMNS; j++) // loop: parallel
            row[j] = in[i * COLUMNS + j] + j;
        for (int j = 0; j < COLUMNS; j++) // loop: parallel
            out[i * COLUMNS + j] = row[j] * row[COLUMNS - 1 - j];
    }
    for (int j = 0; j < COLUMNS; j++) // loop: parallel
        out[j] += row[j];
}

/* Its first element is the one that the iteration before left there. */
void kernel_handed_on(int rows, const int *restrict in, int *restrict out)
{
    int row[COLUMNS];
    row[0] = 5;
    for (int i = 0; i < rows; i++) { // loop: sequential, pair(+5 row[0], +5 row[0]), because row[0] comes from the iteration before
        for (int j = 1; j < COLUMNS; j++) // loop: parallel
            row[j] = in[i * COLUMNS + j];
        for (int j = 0; j < COLUMNS; j++) // loop: parallel
            out[i * COLUMNS + j] = row[j];
        row[0] = row[COLUMNS - 1];
    }
}

/* Which iteration writes an element last depends on the data. */
void kernel_some(int rows, const int *restrict in, int *restrict out)
{
    int row[COLUMNS];
    for (int j = 0; j < COLUMNS; j++) // loop: parallel
        row[j] = j;
    for (int i = 0; i < rows; i++) { // loop: sequential, pair(+3 row[j], +4 row[0]), because the last positive row is used after it
        if (in[i * COLUMNS] > 0) {
            for (int j = 0; j < COLUMNS; j++) // loop: parallel
                row[j] = in[i * COLUMNS + j];
            out[i] = row[0] + row[COLUMNS - 1];
        }
    }
    for (int j = 0; j < COLUMNS; j++) // loop: parallel
        out[j] += row[j];
}

/* The same array from call to call: static, and read first. */
void kernel_kept(int rows, const int *restrict in, int *restrict out)
{
    for (int j = 0; j < COLUMNS; j++) // loop: parallel
        out[j] += kept[j];
    for (int i = 0; i < rows; i++) { // loop: parallel, lastprivate(kept)
        for (int j = 0; j < COLUMNS; j++) // loop: parallel
            kept[j] = in[i * COLUMNS + j];
        out[COLUMNS + i] = 2 * kept[0];
    }
}

/* Sees what the loop below left of an array that both name. */
static int middle(void)
{
    return seen_by_two[1];
}

/* The function above reads what the last iteration left. This one is the last to name the array, and not the only one. */
void kernel_seen(int rows, const int *restrict in, int *restrict out)
{
    for (int i = 0; i < rows; i++) { // loop: parallel, lastprivate(seen_by_two)
        for (int j = 0; j < 3; j++) // loop: parallel
            seen_by_two[j] = in[i * COLUMNS + j];
        out[i] = seen_by_two[0] + seen_by_two[2];
    }
}

/* The next step begins with what the last iteration of this one left. */
void kernel_next_step(int steps, int rows, const int *restrict in, int *restrict out)
{
    int row[COLUMNS] = {0};
    for (int t = 0; t < steps; t++) { // loop: sequential, pair(+4 row[j], +4 row[j]), because a step reads row before it writes it
        out[t] += row[COLUMNS - 1];
        for (int i = 0; i < rows; i++) { // loop: parallel, lastprivate(row)
            for (int j = 0; j < COLUMNS; j++) // loop: parallel
                row[j] = in[i * COLUMNS + j] + t;
            for (int j = 0; j < COLUMNS; j++) // loop: parallel
                out[i * COLUMNS + j] += row[COLUMNS - 1 - j];
        }
    }
}

/* A pointer to the array from before the loop. */
void kernel_two_names(int rows, const int *restrict in, int *restrict out)
{
    int row[COLUMNS];
    int *p = row;
    for (int i = 0; i < rows; i++) { // loop: parallel, private(row)
        for (int j = 0; j < COLUMNS; j++) // loop: parallel
            row[j] = in[i * COLUMNS + j];
        for (int j = 0; j < COLUMNS; j++) // loop: parallel
            out[i * COLUMNS + j] = p[COLUMNS - 1 - j];
    }
}

int main(void)
{
    int n = ROWS * COLUMNS;
    int *in = malloc((size_t)n * sizeof(int));
    int *out = malloc((size_t)n * sizeof(int));
    if (!in || !out)
        return 1;
    fill(in, n, 7);
    fill(out, n, 3);
    kernel_reverse(ROWS, in, out);
    show("reverse", out, n);
    kernel_smooth(ROWS, in, out);
    show("smooth", out, n);
    kernel_cells(ROWS, in, out);
    show("cells", out, n);
    kernel_last(ROWS, in, out);
    show("last", out, n);
    kernel_last(0, in, out);
    show("no last", out, n);
    kernel_handed_on(ROWS, in, out);
    show("handed on", out, n);
    kernel_some(ROWS, in, out);
    show("some", out, n);
    kernel_kept(ROWS, in, out);
    kernel_kept(ROWS - 2, in, out);
    show("kept", out, n);
    kernel_seen(ROWS, in, out);
    printf("middle %d\n", middle());
    show("seen", out, n);
    kernel_next_step(4, ROWS, in, out);
    show("next step", out, n);
    kernel_two_names(ROWS, in, out);
    show("two names", out, n);
    free(in);
    free(out);
    return 0;
}

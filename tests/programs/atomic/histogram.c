// histogram: elements that are counted, weighted and marked, of which several iterations may meet in one.
// sizes: -DN=1009 -DM=5 -DBINS=7
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 401
#endif
#ifndef M
#define M 13
#endif
#ifndef BINS
#define BINS 37
#endif

struct grid {
    int cells;
    double weight[BINS];
    long count[BINS][M];
};

static int counts[BINS];
static unsigned masks[BINS], sets[BINS], signs[BINS];
static long products[BINS];
static double weights[BINS];
static float halves[BINS];
static int plane[BINS][M];

static void show(const char *name, const double *v, int n)
{
    uint64_t sum = 0;
    for (int i = 0; i < n; i++) // loop: parallel, reduction(+:sum)
        sum += (uint64_t)(int64_t)(v[i] * 4096) * (uint64_t)(2 * i + 1);
    printf("%s: %016llx first %g middle %g last %g\n", name, (unsigned long long)sum, v[0], v[n / 2], v[n - 1]);
}

void kernel_count(int n, const int *key)
{
    for (int i = 0; i < n; i++) // loop: parallel, atomic(+:counts)
        counts[key[i]]++;
}

void kernel_weights(int n, const int *restrict key, const double *restrict w)
{
    for (int i = 0; i < n; i++) { // loop: parallel, atomic(+:weights), atomic(+:halves)
        if (w[i] > 0)
            weights[key[i]] += w[i];
        else
            weights[key[i]] = weights[key[i]] - 2 * w[i];
        halves[key[n - 1 - i]] = 0.5f + halves[key[n - 1 - i]];
    }
}

void kernel_bits(int n, const int *restrict key)
{
    for (int i = 0; i < n; i++) { // loop: parallel, atomic(&:masks), atomic(|:sets), atomic(^:signs)
        masks[key[i]] &= ~(1u << (i % 31));
        sets[key[i]] |= 1u << (i % 29);
        signs[key[i]] ^= (unsigned)i * 3u;
    }
}

void kernel_products(int n, const int *restrict key)
{
    for (int i = 0; i < n; i++) // loop: parallel, atomic(*:products)
        products[key[i]] *= 1 - 2 * (i % 2);
}

void kernel_plane(int n, const int *restrict key, const int *restrict column)
{
    for (int i = 0; i < n; i++) { // loop: parallel, atomic(+:plane)
        plane[key[i]][column[i]] += i % 5;
        plane[key[i]][0] -= 1;
        --plane[key[i]][column[n - 1 - i]];
    }
}

void kernel_members(int n, const int *restrict key, const int *restrict column, struct grid *restrict g)
{
    for (int i = 0; i < n; i++) { // loop: parallel, atomic(+:g->count)
        g->count[key[i]][column[i]] += 2;
        g->count[key[i]][column[i]] = (long)key[i] + g->count[key[i]][column[i]];
    }
}

void kernel_image(int rows, int columns, const unsigned char *restrict image, int *restrict bins)
{
    for (int i = 0; i < rows; i++) // loop: parallel, atomic(+:bins)
        for (int j = 0; j < columns; j++) // loop: parallel, atomic(+:bins)
            bins[image[i * columns + j] & 15] += 1;
}

void kernel_apart(int rows, int columns, const unsigned char *restrict image)
{
    for (int i = 0; i < rows; i++) // loop: parallel
        for (int j = 0; j < columns; j++) // loop: parallel, atomic(+:plane)
            plane[i][image[i * columns + j] % M] += 1;
}

void kernel_neighbours(int n, const double *restrict w, double *restrict y)
{
    for (int i = 0; i < n; i++) { // loop: parallel, atomic(+:y)
        y[i] += w[i];
        y[i + 1] += 2 * w[i];
    }
}

void kernel_distinct(int n, const double *restrict w, double *restrict y)
{
    for (int i = 0; i < n; i++) { // loop: parallel
        y[2 * i] += w[i];
        y[2 * i + 1] += 2 * w[i];
    }
}

int main(void)
{
    int *key = malloc(N * sizeof *key), *column = malloc(N * sizeof *column);
    double *w = malloc(N * sizeof *w), *y = malloc((2 * N + 1) * sizeof *y), *out = malloc(BINS * M * sizeof *out);
    unsigned char *image = malloc((size_t)BINS * N);
    int *bins = malloc(16 * sizeof *bins);
    struct grid *g = malloc(sizeof *g);
    if (!key || !column || !w || !y || !out || !image || !bins || !g)
        return 1;
    for (int i = 0; i < N; i++) { // loop: parallel
        key[i] = (i * 7 + i / 5) % BINS;
        column[i] = (i * 3 + i / 7) % M;
        w[i] = (i * 5 % 9) - 3;
    }
    for (int i = 0; i < 2 * N + 1; i++) // loop: parallel
        y[i] = i % 3;
    for (int i = 0; i < BINS * N; i++) // loop: parallel
        image[i] = (unsigned char)(i * 11 % 251);
    for (int i = 0; i < 16; i++) // loop: parallel
        bins[i] = 1000 + i;
    g->cells = 7;
    for (int i = 0; i < BINS; i++) { // loop: parallel
        counts[i] = i;
        masks[i] = ~0u;
        signs[i] = 17u * (unsigned)i;
        products[i] = i + 1;
        weights[i] = i;
        g->weight[i] = i;
        for (int j = 0; j < M; j++) // loop: parallel
            g->count[i][j] = i - j;
    }
    kernel_count(N, key);
    kernel_weights(N, key, w);
    kernel_bits(N, key);
    kernel_products(N, key);
    kernel_plane(N, key, column);
    /* There are fewer columns than bins. */
    kernel_plane(N - 1, column, column + 1);
    kernel_members(N, key, column, g);
    kernel_image(BINS, N, image, bins);
    kernel_apart(BINS, N, image);
    kernel_neighbours(N, w, y);
    kernel_distinct(N, w, y);
    for (int i = 0; i < BINS; i++) // loop: parallel
        out[i] = counts[i];
    show("counts", out, BINS);
    show("weights", weights, BINS);
    for (int i = 0; i < BINS; i++) // loop: parallel
        out[i] = halves[i];
    show("halves", out, BINS);
    for (int i = 0; i < BINS; i++) // loop: parallel
        out[i] = (double)masks[i] + 3.0 * sets[i] + 5.0 * signs[i] + (double)products[i];
    show("bits", out, BINS);
    for (int i = 0; i < BINS; i++) // loop: parallel
        for (int j = 0; j < M; j++) // loop: parallel
            out[i * M + j] = plane[i][j];
    show("plane", out, BINS * M);
    for (int i = 0; i < BINS; i++) // loop: parallel
        for (int j = 0; j < M; j++) // loop: parallel
            out[i * M + j] = (double)g->count[i][j];
    show("cells", out, BINS * M);
    for (int i = 0; i < 16; i++) // loop: parallel
        out[i] = bins[i];
    show("bins", out, 16);
    show("y", y, 2 * N + 1);
    show("weight", g->weight, BINS);
    printf("cells %d\n", g->cells);
    free(key);
    free(column);
    free(w);
    free(y);
    free(out);
    free(image);
    free(bins);
    free(g);
    return 0;
}

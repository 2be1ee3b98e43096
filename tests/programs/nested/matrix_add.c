// matrix_add: the sum of two matrices into one that lies behind a member of a structure.
// sizes: -DN=12
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 9
#endif

typedef struct {
    int *data;
    int size;
} matrix;

static void fill(int *v, int n, int step)
{
    for (int i = 0; i < n; i++) // loop: parallel
        v[i] = (i * step + i / 16) % 11 - 5;
}

static void show(const char *name, const int *v, int n)
{
    uint64_t sum = 0;
    for (int i = 0; i < n; i++) // loop: parallel, reduction(+:sum)
        sum += (uint64_t)v[i] * (uint64_t)(2 * i + 1);
    printf("%s: %016llx first %d middle %d last %d\n", name, (unsigned long long)sum, v[0], v[n / 2], v[n - 1]);
}

void kernel_add(const int *a, const int *b, matrix *c, int n)
{
    for (int i = 0; i < n; i++) // loop: parallel_if
        for (int j = 0; j < n; j++) // loop: parallel_if
            c->data[i * n + j] = a[i * n + j] + b[i * n + j];
}

int main(void)
{
    int *a = malloc((N * N + 1) * sizeof *a);
    int *b = malloc(N * N * sizeof *b);
    matrix *c = malloc(sizeof *c);
    int *data = malloc(N * N * sizeof *data);

    c->data = data;
    c->size = 77;
    fill(a, N * N + 1, 5);
    fill(b, N * N, 3);
    fill(data, N * N, 2);
    kernel_add(a, b, c, N);
    show("c", data, N * N);
    printf("size %d, pointer %s\n", c->size, c->data == data ? "kept" : "lost");
    // Nothing to do, and nothing to look at.
    kernel_add(a, b, NULL, 0);
    kernel_add(a, b, NULL, -3);
    // The same storage, and storage one element apart.
    c->data = a;
    kernel_add(a, b, c, N);
    show("a", a, N * N + 1);
    c->data = a + 1;
    kernel_add(a, b, c, N);
    show("a", a, N * N + 1);
    // A source that lies in the structure itself.
    c->data = data;
    kernel_add(&c->size, b, c, 1);
    show("c", data, N * N);
    free(a);
    free(b);
    free(c);
    free(data);
    return 0;
}

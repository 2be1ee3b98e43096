// members_read_the_same: two members of the structures of one array are one section in words and other bytes.
// sizes: -DN=101
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 37
#endif

struct pair {
    double re, im;
};

/* Both members at one place of the text. */
#define MULTIPLY(c, a, f) (c.re = a.re * (f), c.im = a.im * (f))

static struct pair table[N][3];

void kernel_at_one_place(struct pair *restrict to, const struct pair *restrict from, int n)
{
    for (int i = 0; i < n; i++) // loop: parallel
        MULTIPLY(to[i], from[i], i % 5);
}

void kernel_rows(int n)
{
    for (int i = 0; i < n; i++) // loop: parallel
        for (int j = 0; j < 3; j++) { // loop: parallel
            table[i][j].im = i - 2 * j;
            table[i][j].re = i + 3 * j;
        }
}

void kernel_one(struct pair *to, int n)
{
    for (int i = 0; i < n; i++) // loop: parallel
        to[i].im = 3 * i;
}

static void show(const char *name, const struct pair *v, int n)
{
    uint64_t sum = 0;
    for (int i = 0; i < n; i++) // loop: parallel, reduction(+:sum)
        sum += (uint64_t)(int64_t)(v[i].re * 4096) * (uint64_t)(2 * i + 1) + (uint64_t)(int64_t)(v[i].im * 4096) * (uint64_t)(2 * (n + i) + 1);
    printf("%s: %016llx first %.2f last %.2f\n", name, (unsigned long long)sum, v[0].re, v[n - 1].im);
}

int main(void)
{
    struct pair *a = malloc(N * sizeof *a), *b = malloc(N * sizeof *b);
    for (int i = 0; i < N; i++) { // loop: parallel
        a[i].re = i % 7;
        a[i].im = 2 * i;
        b[i].re = b[i].im = -1;
    }
    kernel_at_one_place(b, a, N);
    kernel_rows(N);
    kernel_one(a, N);
    show("a", a, N);
    show("b", b, N);
    show("table", &table[0][0], 3 * N);
    free(a);
    free(b);
    return 0;
}

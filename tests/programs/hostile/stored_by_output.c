// stored_by_output: %n stores how much was written: subscripts, bounds and elements behind it are not what they were.
// sizes: -DN=29
#include <stdint.h>
#include <stdio.h>

#ifndef N
#define N 37
#endif

static int a[2 * N], b[2 * N];

static void show(const char *name, const int *v, int n)
{
    uint64_t sum = 0;
    for (int i = 0; i < n; i++) // loop: parallel, reduction(+:sum)
        sum += (uint64_t)v[i] * (uint64_t)(2 * i + 1);
    printf("%s: %016llx first %d middle %d last %d\n", name, (unsigned long long)sum, v[0], v[n / 2], v[n - 1]);
}

/* The offset is 1 before the output, and 5 behind it. */
void kernel_offset(int n, int *restrict v, const int *restrict w)
{
    int offset = 1;
    printf("first%n\n", &offset);
    for (int i = 0; i < n; i++) // loop: parallel
        v[i + offset] = w[i] + i;
}

static int width(int columns, const char *text, char *line)
{
    int stored = 0;
    sprintf(line, "%*s%n", columns, text, &stored);
    return stored;
}

/* The number of characters comes out of a called function. */
void kernel_width(int n, int columns, const char *text, int *restrict v)
{
    char line[N + 8];
    int distance = width(columns, text, line);
    for (int i = 0; i < n; i++) // loop: parallel_if
        v[i + distance] = v[i] + line[0];
}

/* The format is not known: it stores into v[0]. */
void kernel_unknown(int n, const char *format, int *restrict v, int *restrict w)
{
    v[0] = n - 1;
    printf(format, v, n);
    for (int i = 0; i < v[0]; i++) // loop: parallel
        w[i] = 3 * i;
}

int main(void)
{
    for (int i = 0; i < 2 * N; i++) { // loop: parallel
        a[i] = i % 11;
        b[i] = i % 7 - 3;
    }
    kernel_offset(N, a, b);
    show("offset", a, 2 * N);
    kernel_width(N, N, "far", a);
    show("far", a, 2 * N);
    kernel_width(N, 2, "near", a);
    show("near", a, 2 * N);
    kernel_unknown(N, "%n", a, b);
    show("nothing written", b, 2 * N);
    kernel_unknown(N, "seven: %n%d\n", a, b);
    show("seven", b, 2 * N);
    return 0;
}

// unsigned_counters: counters of unsigned types, as they are usual for sizes: some that cannot wrap around before the loop ends, and some that do.
// sizes: -DN=29
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 41
#endif
#define M 7

static void show(const char *name, int n, const int *a)
{
    uint64_t sum = 0;
    for (int i = 0; i < n; i++) // loop: parallel, reduction(+:sum)
        sum += (uint64_t)(a[i] + 4096) * (uint64_t)(2 * i + 1);
    printf("%s: %016llx %d %d\n", name, (unsigned long long)sum, a[0], a[n - 1]);
}

size_t kernel_line(int n, int *restrict a)
{
    size_t k = 0;
    for (int i = 0; i < n; i++) // loop: parallel // induction: k is i
        a[k++] = 3 * i + 1;
    return k;
}

unsigned kernel_narrow(int n, int *restrict a)
{
    unsigned k = 0;
    for (int i = 0; i < n; i++) { // loop: parallel // induction: k is i
        a[k] = 4 * i - 1;
        k++;
    }
    return k;
}

void kernel_steps(int lo, int hi, int *restrict a)
{
    size_t k = 2;
    for (int i = lo; i < hi; i += 2) { // loop: parallel // induction: k is 2 + 3 * ((i - lo) / 2)
        a[k] = i + 100;
        k += 3;
    }
}

size_t kernel_rows(int n, int m, int *restrict a)
{
    size_t k = 0;
    for (int i = 0; i < n; i++) // loop: parallel // induction: k is i * m
        for (int j = 0; j < m; j++) // loop: parallel // induction: k is i * m + j
            a[k++] = 2 * i - j;
    return k;
}

// What 27 bits leave of it is the number of the iteration until it wraps around.
void kernel_wraps(int n, int *restrict a)
{
    unsigned k = 0;
    for (int i = 0; i < n; i++) { // loop: sequential, pair(+1 a[k >> 27], +1 a[k >> 27]), because k is 0 again after 32 iterations
        a[k >> 27] = i;
        k += 1u << 27;
    }
}

void kernel_wraps_at_once(int n, int *restrict a)
{
    unsigned k = UINT_MAX - 2;
    for (int i = 0; i < n; i++) { // loop: sequential, pair(+1 a[k > 100 ? 0 : i], +1 a[k > 100 ? 0 : i]), because k is small after three iterations
        a[k > 100 ? 0 : i] = i + 2;
        k++;
    }
}

// The last of its bits only.
void kernel_wraps_long(int n, int *restrict a)
{
    size_t k = 0;
    for (int i = 0; i < n; i++) { // loop: sequential, pair(+1 a[k >> 59], +1 a[k >> 59]), because k is 0 again after 32 iterations
        a[k >> 59] = i + 3;
        k += (size_t)1 << 59;
    }
}

// A length of -1 is a great step.
void kernel_wraps_by_length(int n, int m, int *restrict a)
{
    size_t k = 0;
    for (int i = 0; i < n; i++) { // loop: sequential, pair(+2 k += (size_t)m, +1 k), because k is as good as negative where m is
        a[k > 100 ? 1 : 0] += i;
        k += (size_t)m;
    }
}

// Not each iteration counts.
size_t kernel_some(int n, const int *restrict b, int *restrict a)
{
    size_t k = 0;
    for (int i = 0; i < n; i++) // loop: sequential, pair(+2 a[k++] = b[i], +2 k), because k counts the great ones
        if (b[i] > 20)
            a[k++] = b[i];
    return k;
}

// Below where it began it wraps around.
void kernel_back(int n, int *restrict a)
{
    unsigned k = 3;
    for (int i = 0; i < n; i++) { // loop: sequential, pair(+1 a[k > 100 ? 0 : k], +1 a[k > 100 ? 0 : k]), because k is great after three iterations
        a[k > 100 ? 0 : k] = i + 5;
        k--;
    }
}

int main(void)
{
    const int whole = 3 * N > N * M ? 3 * N : N * M;
    int *a = calloc((size_t)whole, sizeof *a), *b = calloc(N, sizeof *b);
    printf("%zu\n", kernel_line(N, a));
    show("line", N, a);
    printf("%zu\n", kernel_line(-2, a));
    printf("%u\n", kernel_narrow(N, b));
    show("narrow", N, b);
    printf("%u\n", kernel_narrow(0, b));
    kernel_steps(-3, N, a);
    show("steps", whole, a);
    printf("%zu\n", kernel_rows(N, M, a));
    show("rows", whole, a);
    printf("%zu %zu\n", kernel_rows(-1, M, a), kernel_rows(N, -1, a));
    kernel_wraps(N, a);
    show("wraps", whole, a);
    kernel_wraps_at_once(N, a);
    show("wraps at once", whole, a);
    kernel_wraps_long(N, a);
    show("wraps long", whole, a);
    kernel_wraps_by_length(N, 2, a);
    kernel_wraps_by_length(N, -1, a);
    show("wraps by length", whole, a);
    printf("%zu\n", kernel_some(N, b, a));
    show("some", whole, a);
    kernel_back(N, a);
    show("back", whole, a);
    free(a);
    free(b);
    return 0;
}

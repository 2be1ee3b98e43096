// heads: loops whose heads set several variables, of which each iteration computes all but the loop's own.
// sizes: -DN=67 -DM=9
// not: reversed
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 101
#endif
#ifndef M
#define M 13
#endif

#define LESS(a, b) ((a) < (b) ? (a) : (b))

static void show(const char *name, const int *v, int n)
{
    uint64_t sum = 0;
    for (int i = 0; i < n; i++) // loop: parallel, reduction(+:sum)
        sum += (uint64_t)v[i] * (uint64_t)(2 * i + 1);
    printf("%s: %016llx first %d middle %d last %d\n", name, (unsigned long long)sum, v[0], v[n / 2], v[n - 1]);
}

static void fill(int *v, int n, int step)
{
    for (int i = 0; i < n; i++) // loop: parallel
        v[i] = (i * step + i / 16) % 11 - 5;
}

// Both are there before; one ends with a value that is used.
int kernel_beside(int n, int *restrict a, const int *restrict b)
{
    int i, k;
    for (i = 0, k = 3; i < n; i++, k += 2) // loop: parallel // induction: k is 3 + 2 * i
        a[i] = b[k] + k;
    return k;
}

// The loop's own variable stands behind the other one, and both are used later.
int kernel_behind(int n, int *restrict a, const int *restrict b)
{
    int i, k;
    for (k = n, i = 0; i < n; --k, ++i) // loop: parallel // induction: k is n - i
        a[k] = b[i];
    return 1000 * k + i;
}

// One value for both.
int kernel_chained(int n, int *restrict a, const int *restrict b)
{
    int i, k;
    for (i = k = 0; i < n; i++, k += 3) // loop: parallel // induction: k is 3 * i
        a[k] = b[i];
    for (k = i = 2; i < n; i++, k++) // loop: parallel // induction: k is i
        a[k] += b[i];
    return k;
}

// The head declares them, and an iteration may go on early.
void kernel_declared(int n, int *restrict a, const int *restrict b)
{
    for (int i = 0, k = n - 1; i < n; i++, k--) { // loop: parallel // induction: k is n - 1 - i
        if (b[k] < 0)
            continue;
        a[i] += b[k];
    }
    for (long k = 1, i = 0; i < n; k += 2, i++) // loop: parallel // induction: k is 1 + 2 * i
        a[i] += (int)k;
}

// Nothing but the head names the second one.
int kernel_counted(int n, int *restrict a)
{
    int i, seen;
    for (i = 0, seen = 5; i < n; i++, seen += 2) // loop: parallel
        a[i] = i;
    for (int k = 0, all = 0; k < n; k++, all++) // loop: parallel
        a[k]++;
    return seen;
}

// Pointers walk in the head.
const int *kernel_walks(int n, int *restrict a, const int *restrict b, int width)
{
    for (int i = 0; i < n; i++, a += 2, b++) { // loop: parallel // induction: a is its first value + 2 * i, b is its first value + i
        if (*b > 3)
            continue;
        *a = *b + width;
    }
    return b;
}

// The head moves it, and the body does, too.
int kernel_both(int n, int *restrict a)
{
    int i, k;
    for (i = 0, k = 0; i < n; i++, k++) { // loop: parallel // induction: k is 3 * i
        a[k] = i;
        k += 2;
    }
    return k;
}

// A loop inside moves it.
void kernel_inside(int first, int *restrict a, const int *restrict b)
{
    int row, column, place;
    for (row = first, place = 0; row < first + M; ++row) // loop: parallel // induction: place is M * (row - first)
        for (column = 0; column < M; ++column, ++place) // loop: parallel // induction: place is its first value + column
            a[row * M + column] = b[place];
}

// A band: both begin where a maximum says.
void kernel_band(int n, int low, int *restrict a, const int *restrict b)
{
    int i, k;
    for (i = LESS(n, low), k = low - i; i < n; i++, k += 2) // loop: parallel // induction: k is its first value + 2 * (i - LESS(n, low))
        a[i] = b[k] - k;
}

// The step is a variable; storage may overlap.
void kernel_step(int n, int step, int *a, const int *b)
{
    for (int i = 0, k = 0; i < n; i++, k += step) // loop: parallel_if // induction: k is step * i
        a[i] = b[k];
}

// The same, of variables that are there before.
int kernel_apart(int n, int *a, const int *b)
{
    int i, k;
    for (i = 0, k = 1; i < n; i++, k += 2) // loop: parallel_if // induction: k is 2 * i + 1
        a[i] = b[k];
    return k;
}

// One variable is made of the loop's own, and what it was before is not.
int kernel_earlier(int n, int *restrict a, const int *restrict b)
{
    int i, k;
    for (i = 1, k = 0; i < n; k = i, i++) // loop: sequential, pair(+0 k = i, +1 k), because an iteration reads k, which the one before set // stronger: parallel, k is i - 1
        a[i] = b[k];
    return k;
}

// The head sums up.
int kernel_sums(int n, int *restrict a, const int *restrict b)
{
    int i, k;
    for (i = 0, k = 0; i < n; k += b[i], i++) // loop: sequential, pair(+0 k += b[i], +1 k), because k is a sum of what the iterations before read
        a[i] = k;
    return k;
}

// The test reads what the head moves.
int kernel_meets(int n, int *restrict a)
{
    int i, k;
    for (i = 0, k = n; i < k; i++, k--) // loop: parallel // induction: k is n - i
        a[i] = a[k];
    return k;
}

// One begins where the other one does.
int kernel_from(int n, int low, int *restrict a, const int *restrict b)
{
    int i, k;
    for (k = low, i = k; i < n; i++, k += 2) // loop: parallel // induction: k is low + 2 * (i - low)
        a[i] = b[k];
    return k;
}

int main(void)
{
    const int most = 3 * N + 3 * M * M + 16;
    int *a = malloc((size_t)most * sizeof *a), *b = malloc((size_t)most * sizeof *b);
    if (!a || !b)
        return 1;
    fill(a, most, 3);
    fill(b, most, 5);
    printf("beside %d\n", kernel_beside(N, a, b));
    show("beside", a, most);
    printf("none %d\n", kernel_beside(-3, a, b));
    printf("behind %d\n", kernel_behind(N, a, b));
    show("behind", a, most);
    printf("chained %d\n", kernel_chained(N, a, b));
    show("chained", a, most);
    kernel_declared(N, a, b);
    show("declared", a, most);
    printf("counted %d\n", kernel_counted(N, a));
    show("counted", a, most);
    printf("walks %d\n", (int)(kernel_walks(N, a, b, 4) - b));
    show("walks", a, most);
    printf("both %d\n", kernel_both(N, a));
    show("both", a, most);
    kernel_inside(3, a, b);
    show("inside", a, most);
    kernel_band(N, 7, a, b);
    show("band", a, most);
    kernel_band(5, 7, a, b);
    show("short band", a, most);
    kernel_step(N, 2, a, b);
    show("step", a, most);
    kernel_step(N, 1, a + 1, a);
    show("overlapping", a, most);
    printf("apart %d\n", kernel_apart(N, a, b));
    printf("overlapping %d\n", kernel_apart(N, a + 2, a));
    show("apart", a, most);
    printf("earlier %d\n", kernel_earlier(N, a, b));
    printf("sums %d\n", kernel_sums(N, a, b));
    printf("meets %d\n", kernel_meets(N, a));
    printf("from %d\n", kernel_from(N, 4, a, b));
    show("end", a, most);
    free(a);
    free(b);
    return 0;
}

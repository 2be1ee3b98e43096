// early_part: loops whose first elements are only read, values that are loaded anew and stay, subscripts that are computed step by step.
// sizes: -DN=67
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 101
#endif

struct scale {
    int factor;
    int shift[3];
};

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

// All read the first element, which none writes.
void kernel_first(int n, int *a)
{
    for (int i = 1; i < n; i++) // loop: parallel
        a[i] = 2 * a[0] + i;
}

// Here one does.
void kernel_first_too(int n, int *a)
{
    for (int i = 0; i < n; i++) // loop: sequential, pair(+1 a[i], +1 a[0]), because a[0] is read by all others
        a[i] = 2 * a[0] + i;
}

// The first half is read, the second written.
void kernel_half(int k, int *a)
{
    for (int i = 0; i < k; i++) // loop: parallel
        a[i + k] = 2 * a[i];
}

// Early iterations read, late ones write.
int kernel_window(int n, int *a)
{
    int sum = 0;
    for (int i = 0; i < n; i++) { // loop: parallel, reduction(+:sum)
        if (i < 10)
            sum += a[i];
        else
            a[i] = a[i % 10] + i;
    }
    return sum;
}

// The part that is read ends where it must.
int kernel_window_too_long(int n, int *a)
{
    int sum = 0;
    for (int i = 0; i < n; i++) { // loop: sequential, pair(+4 a[i], +4 a[i % 11]), because a[10] is written and read
        if (i < 10)
            sum += a[i];
        else
            a[i] = a[i % 11] + i;
    }
    return sum;
}

// What is written lies behind what is read only in a short loop.
void kernel_behind(int n, int *a)
{
    for (int i = 0; i < n; i++) // loop: parallel_if
        a[i + 40] = a[i] + 1;
}

// The factor and the shift are loaded in every iteration, and no iteration changes them.
void kernel_loaded(int n, const struct scale *restrict s, const int *restrict at, int *restrict a)
{
    for (int i = 0; i < n; i++) // loop: parallel
        a[i + *at] = s->factor * a[i + *at] + s->shift[1];
}

// One changes what the others load.
void kernel_loaded_and_changed(int n, struct scale *restrict s, int *restrict a)
{
    for (int i = 0; i < n; i++) { // loop: sequential, pair(+2 s->factor, +1 s->factor), because the factor changes
        a[i] = s->factor * a[i] + s->shift[1];
        s->factor = a[i] & 3;
    }
}

// Subscripts by way of other variables.
void kernel_forward(int n, int m, const int *restrict b, int *restrict a)
{
    for (int i = 0; i < n; i++) { // loop: parallel_if
        const int row = i * m, next = row + 1;
        const int *from = b + next;
        a[row] = from[-1] + b[next];
    }
}

int main(void)
{
    int *a = malloc((2 * N + 42) * sizeof *a), *b = malloc((2 * N + 42) * sizeof *b);
    if (!a || !b)
        return 1;
    const int most = 2 * N + 42;
    fill(a, most, 3);
    fill(b, most, 5);
    kernel_first(N, a);
    show("first", a, most);
    kernel_first_too(N, a);
    show("first too", a, most);
    kernel_half(N, a);
    show("half", a, most);
    printf("window %d\n", kernel_window(N, a));
    show("window", a, most);
    printf("too long %d\n", kernel_window_too_long(N, a));
    show("too long", a, most);
    kernel_behind(37, a);
    kernel_behind(N, a);
    show("behind", a, most);
    struct scale s = {3, {1, 2, 3}};
    const int at = 4;
    kernel_loaded(N, &s, &at, a);
    show("loaded", a, most);
    kernel_loaded_and_changed(N, &s, a);
    show("changed", a, most);
    kernel_forward(N, 2, b, a);
    kernel_forward(N, 0, b, a);
    show("forward", a, most);
    free(a);
    free(b);
    return 0;
}

// other_names: storage that a loop reaches by another name than the one that its clause would have.
// sizes: -DN=101
#include <stdint.h>
#include <stdio.h>

#ifndef N
#define N 37
#endif

static int a[N], b[N];

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

/* One variable, behind a pointer. */
void kernel_scalar(int x)
{
    const int *p = &x;
    for (int i = 0; i < N; i++) // loop: parallel
        a[i] += *p + i;
}

/* An array by a pointer to its beginning, in front of what is used. */
void kernel_array(void)
{
    const int *q = b;
    for (int i = 20; i < N; i++) // loop: parallel
        a[i] += q[i];
}

/* By its own name, too. */
void kernel_both(void)
{
    const int *q = b;
    for (int i = 20; i < N - 1; i++) // loop: parallel
        a[i] += q[i] * b[i + 1];
}

/* Two pointers to one place. */
void kernel_pointers(int *restrict v, const int *restrict w)
{
    const int *other = w;
    for (int i = 1; i < N; i++) // loop: parallel
        v[i] += other[i] - w[i - 1];
}

int main(void)
{
    fill(a, N, 5);
    fill(b, N, 3);
    kernel_scalar(7);
    show("a", a, N);
    kernel_array();
    show("a", a, N);
    kernel_both();
    show("a", a, N);
    kernel_pointers(a, b);
    show("a", a, N);
    return 0;
}

// goto_out: a goto out of the loop.
// sizes: -DN=101
// variants: long split
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

int kernel_goto(int n, int key)
{
    int found = 1;
    if (n > N)
        goto done;
    for (int i = 0; i < n; i++) { // loop: sequential, because goto done leaves it
        if (a[i] > 1000)
            goto next;
        if (a[i] == key)
            goto done;
        b[i] = a[i] * 2;
    next:;
    }
    found = 0;
done:
    return found;
}

int main(void)
{
    int found;

    fill(a, N, 1);
    fill(b, N, 3);
    found = kernel_goto(N, 4);
    printf("found %d\n", found);
    show("b", b, N);
    found = kernel_goto(N + 1, 4);
    printf("found %d\n", found);
    return 0;
}

// nested_continue: a write behind a condition that holds a jump to the next iteration: it is not certain.
// sizes: -DN=101
#include <stdint.h>
#include <stdio.h>

#ifndef N
#define N 37
#endif

static int a[N], b[N], c[N], d[N];

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

void kernel_marks(const int *restrict x, const int *restrict y, int *restrict v, int *restrict z)
{
    for (int i = 0; i < N; i++) { // loop: parallel
        if (x[i] > 0) {
            if (y[i] > 0)
                continue;
            v[i] = 1;
        }
        z[i] = 2;
    }
}

void kernel_cases(const int *restrict x, int *restrict z)
{
    for (int i = 0; i < N; i++) { // loop: parallel
        switch (x[i] & 3) {
        case 1:
            continue;
        case 2:
            z[i] += 10;
            break;
        default:
            break;
        }
        z[i] += 3;
    }
}

int main(void)
{
    fill(a, N, 5);
    fill(b, N, 3);
    fill(c, N, 2);
    fill(d, N, 9);
    kernel_marks(a, b, c, d);
    show("c", c, N);
    show("d", d, N);
    kernel_cases(b, d);
    show("d", d, N);
    return 0;
}

// set_in_every_case: a scalar that the cases of a switch set: all of them, one of which always fits, or not all.
// sizes: -DN=29
#include <stdint.h>
#include <stdio.h>

#ifndef N
#define N 41
#endif

static int c[N], y[N], x[N];

static void show(const char *name)
{
    uint64_t sum = 0;
    for (int i = 0; i < N; i++) // loop: parallel, reduction(+:sum)
        sum += (uint64_t)(x[i] + 64) * (uint64_t)(2 * i + 1);
    printf("%s: %016llx %d %d\n", name, (unsigned long long)sum, x[0], x[N - 1]);
}

void kernel_all_cases(int n)
{
    int t = 0;
    for (int i = 0; i < n; i++) { // loop: parallel, private(t)
        switch (c[i]) {
        case 1:
            t = 1;
            break;
        case 2:
            t = y[i];
            break;
        default:
            t = 9;
        }
        x[i] = t;
    }
}

// The case of 1 goes on into the next one.
void kernel_falls_through(int n)
{
    int t = 0;
    for (int i = 0; i < n; i++) { // loop: parallel, private(t)
        switch (c[i]) {
        case 1:
            x[i] = 2;
        default:
            t = y[i];
        }
        x[i] += t;
    }
}

// The others are left as they are.
void kernel_others_leave(int n)
{
    int t = 0;
    for (int i = 0; i < n; i++) { // loop: parallel, private(t)
        switch (c[i]) {
        case 1:
            t = 1;
            break;
        case 2:
            t = y[i];
            break;
        default:
            continue;
        }
        x[i] = t;
    }
}

// Of 0 and 3 no case speaks: t is that of the iteration before.
void kernel_not_all(int n)
{
    int t = 0;
    for (int i = 0; i < n; i++) { // loop: sequential, pair(+6 t = y[i], +9 t)
        switch (c[i]) {
        case 1:
            t = 1;
            break;
        case 2:
            t = y[i];
            break;
        }
        x[i] = t;
    }
}

// One case does not set it.
void kernel_one_case_keeps_it(int n)
{
    int t = 0;
    for (int i = 0; i < n; i++) { // loop: sequential, pair(+5 t = y[i], +7 t)
        switch (c[i]) {
        case 1:
            break;
        default:
            t = y[i];
        }
        x[i] = t;
    }
}

int main(void)
{
    for (int i = 0; i < N; i++) { // loop: parallel
        c[i] = i % 4;
        y[i] = i * 5 % 11;
        x[i] = i;
    }
    kernel_all_cases(N);
    show("all");
    kernel_falls_through(N);
    show("falls");
    kernel_others_leave(N);
    show("others");
    kernel_not_all(N);
    show("not all");
    kernel_one_case_keeps_it(N);
    show("keeps");
    return 0;
}

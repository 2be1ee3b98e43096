// set_under_conditions: scalars that iterations set under conditions, of which some say the same in all of them: with the reading under the same one, under another one, under none.
// sizes: -DN=29
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 41
#endif
#define M 5

static int b[N * M];
static int lengths[N];
static double numbers[N];

static void show(const char *name, const int *a)
{
    uint64_t sum = 0;
    for (int i = 0; i < N; i++) // loop: parallel, reduction(+:sum)
        sum += (uint64_t)(a[i] + 4096) * (uint64_t)(2 * i + 1);
    printf("%s: %016llx %d %d\n", name, (unsigned long long)sum, a[0], a[N - 1]);
}

// All iterations set x, or none.
void kernel_length(int n, int m, int *restrict a)
{
    int x = 3;
    for (int i = 0; i < n; i++) { // loop: parallel_if, private(x)
        if (m > 3)
            for (int j = 0; j < m; j++) // loop: parallel, lastprivate(x)
                x = b[i * M + j] - 2 * j;
        a[i] = x;
    }
}

// The loop inside need not run where the flag is set.
void kernel_flag(int n, int m, int flag, int *restrict a)
{
    int x = 3;
    for (int i = 0; i < n; i++) { // loop: parallel_if, private(x)
        if (flag)
            for (int j = 0; j < m; j++) // loop: parallel, lastprivate(x)
                x = b[i * M + j] + 3 * j;
        a[i] = x;
    }
}

// Read where it is set.
void kernel_same(int n, int m, int *restrict a)
{
    int x = 3;
    for (int i = 0; i < n; i++) { // loop: parallel, private(x)
        if (m > 3)
            for (int j = 0; j < m; j++) // loop: parallel, lastprivate(x)
                x = b[i * M + j] - 5 * j;
        a[i] = 7;
        if (m > 3)
            a[i] = x;
    }
}

// With one length it is read and not set.
void kernel_other(int n, int m, int *restrict a)
{
    int x = 3;
    for (int i = 0; i < n; i++) { // loop: parallel_if, private(x)
        if (m > 3)
            x = b[i * M + 1];
        a[i] = 8;
        if (m > 2)
            a[i] = x;
    }
}

// Each iteration has its own condition, twice.
void kernel_same_element(int n, int *restrict a)
{
    int x = 3;
    for (int i = 0; i < n; i++) { // loop: parallel, private(x)
        if (lengths[i] > 2)
            x = b[i * M + 2];
        a[i] = 9;
        if (lengths[i] > 2)
            a[i] += x;
    }
}

// What is asked has changed in between.
void kernel_changed_between(int n, int *restrict a, int *restrict c)
{
    int x = 3;
    for (int i = 0; i < n; i++) { // loop: sequential, pair(+2 x = b[i * M + 3], +6 x), because x is an earlier one where c[i] was 2
        if (c[i] > 2)
            x = b[i * M + 3];
        a[i] = 9;
        c[i]++;
        if (c[i] > 2)
            a[i] += x;
    }
}

// What is asked may be what is stored in between.
void kernel_perhaps_between(int n, int *a, const int *c)
{
    int x = 3;
    for (int i = 0; i < n; i++) { // loop: unknown, pair(+2 x = b[i * M + 3], +5 x), because a may be c
        if (c[i] > 2)
            x = b[i * M + 3];
        a[i] = 9;
        if (c[i] > 2)
            a[i] += x;
    }
}

// The same, with a test that is turned round, and another one beside it.
void kernel_perhaps_turned(int n, int m, int *a, const int *c)
{
    int x = 3;
    for (int i = 0; i < n; i++) { // loop: unknown, pair(+2 x = b[i * M + 1], +6 x), because a may be c
        if (c[i] > 2)
            x = b[i * M + 1];
        a[i] = 9;
        if (c[i] <= 2 || i > m)
            continue;
        a[i] += x;
    }
}

// The second test asks less than the first one.
void kernel_perhaps_less(int n, int m, int *a, const int *c)
{
    int x = 3;
    for (int i = 0; i < n; i++) { // loop: sequential, pair(+2 x = b[i * M + 1], +5 x), because x is an earlier one where i is great
        if (c[i] > 2 && i < m)
            x = b[i * M + 1];
        a[i] = 9;
        if (c[i] > 2)
            a[i] += x;
    }
}

// Read where it is not set.
void kernel_perhaps_other_branch(int n, int *a, const int *c)
{
    int x = 3;
    for (int i = 0; i < n; i++) { // loop: sequential, pair(+2 x = b[i * M + 4], +5 x), because x is an earlier one where c[i] is small
        if (c[i] > 2)
            x = b[i * M + 4];
        a[i] = 9;
        if (!(c[i] > 2))
            a[i] += x;
    }
}

// Read in front of the place that sets it.
void kernel_perhaps_before(int n, int *a, const int *c)
{
    int x = 3;
    for (int i = 0; i < n; i++) { // loop: sequential, pair(+4 x = b[i * M + 4], +2 x), because x is the one of the iteration before
        if (c[i] > 2)
            a[i] = x;
        if (c[i] > 2)
            x = b[i * M + 4];
    }
}

// The element that is asked about is another one the second time.
void kernel_perhaps_next(int n, int *a, const int *c)
{
    int x = 3;
    for (int i = 0; i < n; i++) { // loop: sequential, pair(+3 x = b[i * M + 4], +7 x), because x is an earlier one where c[i] is small
        int k = i;
        if (c[k] > 2)
            x = b[i * M + 4];
        k = (i + 1) % n;
        a[i] = 9;
        if (c[k] > 2)
            a[i] += x;
    }
}

// Two questions about floating-point numbers.
void kernel_number_twice(int n, double *a, const double *w)
{
    int x = 3;
    for (int i = 0; i < n; i++) { // loop: unknown, pair(+2 x = b[i * M + 2], +5 x), because a may be w
        if (w[i] > 0.5)
            x = b[i * M + 2];
        a[i] = 9;
        if (w[i] > 0.5)
            a[i] += x;
    }
}

// In a loop inside: no iteration of the outer one reads what another one has set, if a is not c.
void kernel_perhaps_inside(int n, int *a, const int *c)
{
    int x = 3;
    for (int i = 0; i < n; i++) { // loop: unknown, pair(+3 x = b[i * M + j], +6 x), because a may be c
        for (int j = 0; j < M; j++) { // loop: sequential, pair(+3 a[i], +3 a[i]), because each iteration stores to a[i]
            if (c[i] + j > 3)
                x = b[i * M + j];
            a[i] = j;
            if (c[i] + j > 3)
                a[i] += x;
        }
    }
}

// An iteration of the loop inside reads what an earlier one has set, and the first one what is from before.
void kernel_inner_iterations(int n, int *restrict a)
{
    int x = 3;
    for (int i = 0; i < n; i++) { // loop: sequential, pair(+4 x = b[i * M + j], +6 x), because x is an earlier one where the first element is small
        int s = 0;
        for (int j = 0; j < M; j++) { // loop: sequential, pair(+2 x = b[i * M + j], +4 x), because x is an earlier one where an element is small
            if (b[i * M + j] > 2)
                x = b[i * M + j];
            if (b[i * M + j] <= 2)
                s += x * (j + 1);
        }
        a[i] = s;
    }
}

// The condition of the last iteration inside says nothing of the first one.
void kernel_inner_last(int n, int *restrict a)
{
    int x = 3;
    for (int i = 0; i < n; i++) { // loop: sequential, pair(+6 x = b[i * M + j], +4 x), because x is an earlier one where the first element is great and the others are small
        int s = 0;
        for (int j = 0; j < M; j++) { // loop: sequential, pair(+4 x = b[i * M + j], +2 x), because x is an earlier one where an element is great
            if (b[i * M + j] > 2)
                s += x * (j + 1);
            if (b[i * M + j] <= 2)
                x = b[i * M + j];
        }
        a[i] = s;
    }
}

// Not an integer.
void kernel_number(int n, double use, int *restrict a)
{
    int x = 3;
    for (int i = 0; i < n; i++) { // loop: unknown // stronger: parallel_if, if use is great
        if (use > 0.5)
            x = b[i * M + 4];
        a[i] = x;
    }
}

// A flag in memory.
void kernel_flag_in_memory(int n, const int *flag, int *a)
{
    int x = 3;
    for (int i = 0; i < n; i++) { // loop: unknown // stronger: parallel_if, if a is elsewhere and *flag is set
        if (*flag)
            x = b[i * M + 4] + 2;
        a[i] = x;
    }
}

// Nothing is carried if nothing is set.
void kernel_set_behind(int n, int flag, int *restrict a)
{
    int x = 3;
    for (int i = 0; i < n; i++) { // loop: unknown, pair(+3 x = b[i * M], +1 x) // stronger: parallel_if, if flag is 0
        a[i] = x;
        if (flag)
            x = b[i * M];
    }
}

void kernel_all_under_it(int n, int flag, int *restrict a)
{
    int x = 3;
    for (int i = 0; i < n; i++) { // loop: parallel_if, private(x)
        a[i] = i;
        if (flag) {
            a[i] += x;
            x = b[i * M];
        }
    }
}

int kernel_last(int n, int flag)
{
    int x = 3;
    for (int i = 0; i < n; i++) // loop: parallel_if, lastprivate(x)
        if (flag)
            x = b[i * M + 1] + i;
    return x;
}

int kernel_last_behind(int n, int flag, int *restrict a)
{
    int x = 3;
    for (int i = 0; i < n; i++) { // loop: parallel_if, lastprivate(x)
        a[i] = 2 * i;
        if (flag > 4)
            continue;
        x = b[i * M + 1] + i;
        a[i] += x;
    }
    return x;
}

// One of two is enough.
void kernel_one_or_other(int n, int m, int flag, int *restrict a)
{
    int x = 3;
    for (int i = 0; i < n; i++) { // loop: parallel_if, private(x)
        if (flag)
            x = b[i * M + 2] - 7;
        else
            for (int j = 0; j < m; j++) // loop: parallel, lastprivate(x)
                x = b[i * M + j] + 4 * j;
        a[i] = x;
    }
}

// Asked for in each iteration.
void kernel_computed(int n, int m, int *restrict a)
{
    int x = 3;
    for (int i = 0; i < n; i++) { // loop: parallel_if, private(x)
        int use = m > 3;
        if (use)
            x = b[i * M + 2] - 6;
        a[i] = x;
    }
}

// The flag is another one in each iteration.
void kernel_flag_changes(int n, int flag, int *restrict a)
{
    int x = 3;
    for (int i = 0; i < n; i++) { // loop: sequential, pair(+4 flag = lengths[i] > 2, +1 flag), because flag is what the iteration before has set
        if (flag)
            x = b[i * M + 2] - 4;
        a[i] = x;
        flag = lengths[i] > 2;
    }
}

// Left in the first iteration, or in none.
void kernel_left(int n, int flag, int *restrict a)
{
    for (int i = 0; i < n; i++) { // loop: unknown // stronger: parallel_if, if flag is 0
        a[i] = b[i * M] + 11;
        if (flag > 2)
            break;
    }
}

void kernel_said(int n, int flag, int *restrict a)
{
    for (int i = 0; i < n; i++) { // loop: unknown // stronger: parallel_if, if flag is 0
        a[i] = b[i * M] + 12;
        if (flag > 2)
            printf("%d\n", a[i]);
    }
}

// 0 - 1 is no small number.
void kernel_unsigned(int n, unsigned m, int *restrict a)
{
    int x = 3;
    for (int i = 0; i < n; i++) { // loop: parallel_if, private(x)
        if (m - 1u < 4u)
            x = b[i * M + 2] - 3;
        a[i] = x;
    }
}

// Evaluated only where it may be.
void kernel_quotient(int n, int k, int d, int *restrict a)
{
    int x = 3;
    for (int i = 0; i < n; i++) { // loop: parallel_if, private(x)
        if (d != 0 && k / d > 3)
            x = b[i * M + 2] - 2;
        a[i] = x;
    }
}

// Without iterations the product is not computed.
void kernel_product(int n, int m, int *restrict a)
{
    int x = 3;
    for (int i = 0; i < n; i++) { // loop: parallel_if, private(x)
        if (m * 3 > 6)
            x = b[i * M + 2] - 1;
        a[i] = x;
    }
}

void kernel_cases(int n, int which, int *restrict a)
{
    int x = 3;
    for (int i = 0; i < n; i++) { // loop: unknown // stronger: parallel_if
        switch (which) {
        case 1:
            x = b[i * M + 2];
            break;
        case 2:
            x = b[i * M + 3];
            break;
        }
        a[i] = x;
    }
}

// Two flags, of which one says that the other one is looked at.
void kernel_two_flags(int n, int one, int two, int *restrict a)
{
    int x = 3, y = 5;
    for (int i = 0; i < n; i++) { // loop: parallel_if, private(x), private(y)
        if (one) {
            x = b[i * M];
            if (two)
                y = x + 1;
        }
        a[i] = one ? x : 0;
        if (two)
            a[i] += y;
    }
}

int main(void)
{
    int *a = calloc(N, sizeof *a), *c = malloc(N * sizeof *c);
    for (int i = 0; i < N * M; i++) // loop: parallel
        b[i] = (i * 7 + i / 11) % 19 - 9;
    for (int i = 0; i < N; i++) // loop: parallel
        lengths[i] = (i * 5 + 4) % (M + 1);
    for (int i = 0; i < N; i++) // loop: parallel
        numbers[i] = (i * 3 + 1) % 5 * 0.25;
    for (int i = 0; i < N; i++) // loop: parallel
        c[i] = (i * 3 + 1) % 5;
    kernel_length(N, M, a);
    show("length", a);
    kernel_length(N, 3, a);
    show("length", a);
    kernel_length(N, -1, a);
    show("length", a);
    kernel_flag(N, M, 2, a);
    show("flag", a);
    kernel_flag(N, 0, 1, a);
    show("flag", a);
    kernel_flag(N, M, 0, a);
    show("flag", a);
    kernel_same(N, M, a);
    show("same", a);
    kernel_same(N, 2, a);
    show("same", a);
    kernel_other(N, 4, a);
    show("other", a);
    kernel_other(N, 3, a);
    show("other", a);
    kernel_other(N, 2, a);
    show("other", a);
    kernel_same_element(N, a);
    show("same element", a);
    kernel_changed_between(N, a, c);
    show("changed between", a);
    kernel_perhaps_between(N, a, c);
    show("perhaps between", a);
    kernel_perhaps_between(N, c, c);
    show("perhaps between", c);
    for (int i = 0; i < N; i++) // loop: parallel
        c[i] = (i * 3 + 1) % 5;
    kernel_perhaps_turned(N, N / 2, a, c);
    show("perhaps turned", a);
    kernel_perhaps_turned(N, N, c, c);
    show("perhaps turned", c);
    for (int i = 0; i < N; i++) // loop: parallel
        c[i] = (i * 3 + 1) % 5;
    kernel_perhaps_less(N, N / 2, a, c);
    show("perhaps less", a);
    kernel_perhaps_other_branch(N, a, c);
    show("perhaps other branch", a);
    kernel_perhaps_before(N, a, c);
    show("perhaps before", a);
    kernel_perhaps_next(N, a, c);
    show("perhaps next", a);
    kernel_number_twice(N, numbers, numbers);
    for (int i = 0; i < N; i++) // loop: parallel
        a[i] = (int)numbers[i];
    show("number twice", a);
    kernel_perhaps_inside(N, a, c);
    show("perhaps inside", a);
    kernel_perhaps_inside(M, c, c);
    show("perhaps inside", c);
    for (int i = 0; i < N; i++) // loop: parallel
        c[i] = (i * 3 + 1) % 5;
    kernel_inner_iterations(N, a);
    show("inner iterations", a);
    kernel_inner_last(N, a);
    show("inner last", a);
    kernel_number(N, 1.0, a);
    show("number", a);
    kernel_number(N, 0.0, a);
    show("number", a);
    c[3] = 1;
    kernel_flag_in_memory(N, &c[3], a);
    show("flag in memory", a);
    a[3] = 1;
    kernel_flag_in_memory(N, &a[3], a);
    show("flag in memory", a);
    kernel_set_behind(N, 1, a);
    show("set behind", a);
    kernel_set_behind(N, 0, a);
    show("set behind", a);
    kernel_all_under_it(N, 0, a);
    show("all under it", a);
    kernel_all_under_it(N, 1, a);
    show("all under it", a);
    printf("last %d %d %d\n", kernel_last(N, 1), kernel_last(N, 0), kernel_last(0, 1));
    printf("last behind %d\n", kernel_last_behind(N, 1, a));
    show("last behind", a);
    printf("last behind %d\n", kernel_last_behind(N, 5, a));
    show("last behind", a);
    kernel_one_or_other(N, M, 0, a);
    show("one or other", a);
    kernel_one_or_other(N, 0, 1, a);
    show("one or other", a);
    kernel_one_or_other(N, 0, 0, a);
    show("one or other", a);
    kernel_computed(N, M, a);
    show("computed", a);
    kernel_computed(N, 3, a);
    show("computed", a);
    kernel_flag_changes(N, 0, a);
    show("flag changes", a);
    kernel_left(N, 0, a);
    show("left", a);
    kernel_left(N, 3, c);
    show("left", c);
    kernel_said(N, 0, a);
    show("said", a);
    kernel_said(3, 3, c);
    show("said", c);
    kernel_unsigned(N, 4u, a);
    show("unsigned", a);
    kernel_unsigned(N, 0u, a);
    show("unsigned", a);
    kernel_quotient(N, 12, 3, a);
    show("quotient", a);
    kernel_quotient(N, 12, 0, a);
    show("quotient", a);
    kernel_quotient(N, 12, 5, a);
    show("quotient", a);
    kernel_product(N, 4, a);
    show("product", a);
    kernel_product(0, INT_MAX, a);
    show("product", a);
    kernel_product(N, -4, a);
    show("product", a);
    kernel_cases(N, 2, a);
    show("cases", a);
    kernel_cases(N, 3, a);
    show("cases", a);
    kernel_two_flags(N, 1, 1, a);
    show("two flags", a);
    kernel_two_flags(N, 0, 1, a);
    show("two flags", a);
    kernel_two_flags(N, 1, 0, a);
    show("two flags", a);
    free(c);
    free(a);
    return 0;
}

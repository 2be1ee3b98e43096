// set_in_loops: scalars that a loop inside sets: one that certainly runs, one that may not, one that is left before it sets them.
// sizes: -DN=29
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 41
#endif
#define M 5

static int b[N * M];
static int lengths[N];

static void show(const char *name, const int *a)
{
    uint64_t sum = 0;
    for (int i = 0; i < N; i++) // loop: parallel, reduction(+:sum)
        sum += (uint64_t)(a[i] + 4096) * (uint64_t)(2 * i + 1);
    printf("%s: %016llx %d %d\n", name, (unsigned long long)sum, a[0], a[N - 1]);
}

// A number of iterations.
void kernel_number(int n, int *restrict a)
{
    int x = 3;
    for (int i = 0; i < n; i++) { // loop: parallel, private(x)
        for (int j = 0; j < M; j++) // loop: parallel, lastprivate(x)
            x = b[i * M + j] + j;
        a[i] = x;
    }
}

// As many as the caller says: with none, x keeps its first value.
void kernel_symbol(int n, int m, int *restrict a)
{
    int x = 3;
    for (int i = 0; i < n; i++) { // loop: parallel_if, private(x)
        for (int j = 0; j < m; j++) // loop: parallel, lastprivate(x)
            x = b[i * M + j] - j;
        a[i] = x;
    }
}

void kernel_known_to_run(int n, int m, int *restrict a)
{
    int x = 3;
    if (m <= 0)
        return;
    for (int i = 0; i < n; i++) { // loop: parallel, private(x)
        for (int j = 0; j < m; j++) // loop: parallel, lastprivate(x)
            x = b[i * M + j] + 2 * j;
        a[i] = x;
    }
}

// Where a row is empty, x is an earlier iteration's.
void kernel_lengths(int n, int *restrict a)
{
    int x = 3;
    for (int i = 0; i < n; i++) { // loop: sequential, pair(+2 x = b[i * M + j], +3 x), because x is an earlier one where lengths[i] is 0
        for (int j = 0; j < lengths[i]; j++) // loop: parallel, lastprivate(x)
            x = b[i * M + j];
        a[i] = x;
    }
}

void kernel_triangle(int n, int *restrict a)
{
    int x = 3;
    for (int i = 0; i < n; i++) { // loop: parallel, private(x)
        for (int j = 0; j <= i; j++) // loop: parallel, lastprivate(x)
            x = b[j] + i;
        a[i] = x;
    }
}

// The first iteration of the loop around has none.
int kernel_strict_triangle(int n, int *restrict a)
{
    int x = 3;
    for (int i = 0; i < n; i++) { // loop: unknown // stronger: parallel, but for its first iteration
        for (int j = 0; j < i; j++) // loop: parallel, lastprivate(x)
            x = b[j] + 2 * i;
        a[i] = x;
    }
    return x;
}

int kernel_last(int n)
{
    int x = 3;
    for (int i = 0; i < n; i++) // loop: parallel, lastprivate(x)
        for (int j = 0; j < M; j++) // loop: parallel, lastprivate(x)
            x = b[i * M + j] - 7 * j;
    return x;
}

int kernel_last_of_some(int n, int m)
{
    int x = 3;
    for (int i = 0; i < n; i++) // loop: parallel_if, lastprivate(x)
        for (int j = 0; j < m; j++) // loop: parallel, lastprivate(x)
            x = b[i * M + j] - 5 * j;
    return x;
}

// Left before it sets anything.
void kernel_left(int n, int *restrict a)
{
    int x = 3;
    for (int i = 0; i < n; i++) { // loop: sequential, pair(+4 x = b[i * M + j], +6 x), because x is an earlier one where the first element is great
        for (int j = 0; j < M; j++) { // loop: sequential, because it is left early
            if (b[i * M + j] > 6)
                break;
            x = b[i * M + j];
        }
        a[i] = x;
    }
}

void kernel_skipped(int n, int *restrict a)
{
    int x = 3;
    for (int i = 0; i < n; i++) { // loop: sequential, pair(+4 x = b[i * M + j], +6 x), because x is an earlier one where all elements are great
        for (int j = 0; j < M; j++) { // loop: unknown
            if (b[i * M + j] > -6)
                continue;
            x = b[i * M + j];
        }
        a[i] = x;
    }
}

// The test that sets x is not come to where the body is left.
int kernel_left_before_the_test(int n)
{
    int x = 3;
    for (int i = 0; i < n; i++) { // loop: sequential, because of the last one that sets x
        int j = 0;
        do { // loop: sequential, because it is left early
            if (b[i * M + j] > i % 9 - 4)
                break;
            j++;
        } while ((x = b[i * M + j]) < 5 && j < M - 1);
    }
    return x;
}

void kernel_test_comes_last(int n, int m, int *restrict a)
{
    int x = 3;
    for (int i = 0; i < n; i++) { // loop: parallel, private(x)
        int j = 0;
        do { // loop: parallel, lastprivate(x)
            x = b[i * M + j] + 3 * j;
        } while (++j < m);
        a[i] = x;
    }
}

void kernel_two_levels(int n, int *restrict a)
{
    int x = 3;
    for (int i = 0; i < n; i++) { // loop: parallel, private(x)
        for (int k = 0; k < 2; k++) // loop: parallel, lastprivate(x)
            for (int j = 0; j < M; j++) // loop: parallel, lastprivate(x)
                x = b[i * M + j] + k;
        a[i] = x;
    }
}

void kernel_empty_level(int n, int m, int *restrict a)
{
    int x = 3;
    for (int i = 0; i < n; i++) { // loop: parallel_if, private(x)
        for (int k = 0; k < 2; k++) // loop: parallel_if, lastprivate(x)
            for (int j = 0; j < m; j++) // loop: parallel, lastprivate(x)
                x = b[i * M + j] + 2 * k;
        a[i] = x;
    }
}

// What is set behind the use is the next iteration's, if nothing runs in between.
void kernel_set_behind(int n, int m, int *restrict a)
{
    int x = 3;
    for (int i = 0; i < n; i++) { // loop: parallel_if, private(x)
        for (int j = 0; j < m; j++) // loop: parallel, lastprivate(x)
            x = b[i * M + j] + 6 * j;
        a[i] = x;
        x = i;
    }
}

// Two loops, and each has a scalar of its own; one is no integer.
void kernel_two_bounds(int n, int m, int l, int *restrict a)
{
    double x = 0.5;
    int y = 7;
    for (int i = 0; i < n; i++) { // loop: parallel_if, private(x), private(y)
        for (int j = 0; j < m; j++) // loop: parallel, lastprivate(x)
            x = b[i] + j;
        for (int j = 0; j < l; j++) // loop: parallel, lastprivate(y)
            y = b[i * M + j] - j;
        a[i] = (int)x + y;
    }
}

// Either of them would do.
void kernel_one_of_two(int n, int m, int l, int *restrict a)
{
    int x = 3;
    for (int i = 0; i < n; i++) { // loop: parallel_if, private(x)
        for (int j = 0; j < m; j++) // loop: parallel, lastprivate(x)
            x = b[i] + j;
        for (int j = 0; j < l; j++) // loop: parallel, lastprivate(x)
            x = b[i * M + j] - j;
        a[i] = x;
    }
}

// The loop around does not change the bound, but what is stored in it might.
void kernel_bound_in_memory(int n, const int *m, int *a)
{
    int x = 3;
    for (int i = 0; i < n; i++) { // loop: unknown, pair(+2 x = b[j % M] + 8 * j, +3 x) // stronger: parallel_if, if m and a are apart, and *m > 0
        for (int j = 0; j < *m; j++) // loop: parallel, lastprivate(x)
            x = b[j % M] + 8 * j;
        a[i] = x;
    }
}

// Beside a counter that each iteration sets first, too, and a condition on pointers.
void kernel_counted(int n, int m, int *a, const int *c)
{
    int x = 3, k = 0;
    for (int i = 0; i < n; i++) { // loop: parallel_if, private(x) // induction: k is 2 * i
        for (int j = 0; j < m; j++) // loop: parallel, lastprivate(x)
            x = c[j] + 9 * j;
        a[k] = x;
        k += 2;
    }
}

// Set in one branch only: whether the loop runs is not all.
void kernel_in_a_branch(int n, int m, int *restrict a)
{
    int x = 3;
    for (int i = 0; i < n; i++) { // loop: sequential, pair(+3 x = b[i * M + j] - 2 * j, +4 x), because x is an earlier one where lengths[i] is small
        if (lengths[i] > 2)
            for (int j = 0; j < m; j++) // loop: parallel, lastprivate(x)
                x = b[i * M + j] - 2 * j;
        a[i] = x;
    }
}

// How often it runs changes with the iterations.
void kernel_changed(int n, int m, int *restrict a)
{
    int x = 3;
    for (int i = 0; i < n; i++) { // loop: sequential, pair(+4 m = lengths[i], +1 m), because m is read where the iteration before has set it
        for (int j = 0; j < m; j++) // loop: parallel, lastprivate(x)
            x = b[i * M + j] + 4 * j;
        a[i] = x;
        m = lengths[i];
    }
}

// Read before the loop inside sets it.
void kernel_read_before(int n, int *restrict a)
{
    int x = 3;
    for (int i = 0; i < n; i++) { // loop: sequential, pair(+3 x = b[i * M + j], +1 x), because x is what the iteration before has set
        a[i] = x;
        for (int j = 0; j < M; j++) // loop: parallel, lastprivate(x)
            x = b[i * M + j];
    }
}

// Only some of its iterations set it.
void kernel_under_a_condition(int n, int *restrict a)
{
    int x = 3;
    for (int i = 0; i < n; i++) { // loop: sequential, pair(+3 x = b[i * M + j], +4 x), because x is an earlier one where no element is great
        for (int j = 0; j < M; j++) // loop: unknown
            if (b[i * M + j] > 7)
                x = b[i * M + j];
        a[i] = x;
    }
}

int main(void)
{
    int *a = calloc(N, sizeof *a);
    for (int i = 0; i < N * M; i++) // loop: parallel
        b[i] = (i * 7 + i / 11) % 19 - 9;
    for (int i = 0; i < N; i++) // loop: parallel
        lengths[i] = (i * 5 + 4) % (M + 1);
    kernel_number(N, a);
    show("number", a);
    kernel_symbol(N, M, a);
    show("symbol", a);
    kernel_symbol(N, 0, a);
    show("symbol", a);
    kernel_known_to_run(N, M, a);
    kernel_known_to_run(N, 0, a);
    show("known to run", a);
    kernel_lengths(N, a);
    show("lengths", a);
    kernel_triangle(N, a);
    show("triangle", a);
    printf("%d %d\n", kernel_strict_triangle(N, a), kernel_strict_triangle(1, a));
    show("strict triangle", a);
    printf("last %d %d\n", kernel_last(N), kernel_last(0));
    printf("last of some %d %d\n", kernel_last_of_some(N, 2), kernel_last_of_some(N, 0));
    kernel_left(N, a);
    show("left", a);
    kernel_skipped(N, a);
    show("skipped", a);
    printf("left before the test %d\n", kernel_left_before_the_test(N));
    kernel_test_comes_last(N, M, a);
    show("test comes last", a);
    kernel_test_comes_last(N, 0, a);
    show("test comes last", a);
    kernel_two_levels(N, a);
    show("two levels", a);
    kernel_empty_level(N, M, a);
    kernel_empty_level(N - 3, 0, a);
    show("empty level", a);
    kernel_set_behind(N, M, a);
    show("set behind", a);
    kernel_set_behind(N, -1, a);
    show("set behind", a);
    kernel_two_bounds(N, 3, M, a);
    show("two bounds", a);
    kernel_two_bounds(N, 2, 0, a);
    show("two bounds", a);
    kernel_two_bounds(N, 0, 2, a);
    show("two bounds", a);
    kernel_one_of_two(N, 2, 1, a);
    kernel_one_of_two(N - 2, 0, 3, a);
    kernel_one_of_two(N - 4, 3, 0, a);
    kernel_one_of_two(N - 6, 0, 0, a);
    show("one of two", a);
    kernel_bound_in_memory(N, &lengths[1], a);
    show("bound in memory", a);
    a[2] = 4;
    kernel_bound_in_memory(N, &a[2], a);
    show("bound in memory", a);
    a[2] = 1;
    kernel_bound_in_memory(N, &a[2], a);
    show("bound in memory", a);
    kernel_counted(N / 2, M, a, b);
    show("counted", a);
    kernel_counted(N / 2, 0, a, b);
    show("counted", a);
    kernel_counted(N / 2, 4, a, a + 3);
    show("counted", a);
    kernel_in_a_branch(N, M, a);
    show("in a branch", a);
    kernel_changed(N, 2, a);
    show("changed", a);
    kernel_read_before(N, a);
    show("read before", a);
    kernel_under_a_condition(N, a);
    show("under a condition", a);
    free(a);
    return 0;
}

// never_called: calls that nothing ever comes to, and calls that only seem to be such: a flag that is no constant, one that changes, labels and cases in what is left out.
// sizes: -DN=43
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 59
#endif
#define FALSE 0
#define TRUE 1
#define TIMERS FALSE
#define DEBUG 0

static int verbose = 0;

static void show(const char *name, const int *a)
{
    uint64_t sum = 0;
    for (int i = 0; i < N; i++) // loop: parallel, reduction(+:sum)
        sum += (uint64_t)(a[i] + 4096) * (uint64_t)(2 * i + 1);
    printf("%s: %016llx %d %d\n", name, (unsigned long long)sum, a[0], a[N - 1]);
}

static void say(int i)
{
    printf("at %d\n", i);
}

// By constants of the preprocessor.
void kernel_constants(int n, int *restrict a)
{
    for (int i = 0; i < n; i++) { // loop: parallel
        if (TIMERS == TRUE)
            say(i);
        if (DEBUG)
            printf("%d\n", i);
        a[i] = 3 * i;
        if (DEBUG > 2 && a[i] < 0)
            exit(1);
    }
}

// By what is known of a parameter.
void kernel_known(int n, int m, int *restrict a)
{
    if (m < 1)
        return;
    for (int i = 0; i < n; i++) { // loop: parallel
        if (m < 0)
            say(i);
        a[i] = i + m;
    }
}

// A variable of the file may be set by anybody.
void kernel_flag(int n, int *restrict a)
{
    for (int i = 0; i < n; i++) { // loop: sequential, because it prints
        if (verbose)
            say(i);
        a[i] = 5 - i;
    }
}

// It is set in an iteration.
void kernel_changes(int n, int *restrict a)
{
    int loud = 0;
    for (int i = 0; i < n; i++) { // loop: sequential, pair(+4 loud = i == 4, +1 loud), because it prints
        if (loud)
            say(i);
        a[i] = 7 * i;
        loud = i == 4;
    }
}

// It is known for some of the parameters only.
void kernel_known_elsewhere(int n, int m, int *restrict a)
{
    if (m > 3)
        a[0] = m;
    for (int i = 0; i < n; i++) { // loop: sequential, because it prints
        if (m < 0 && i == 2)
            say(i);
        a[i] += i - m;
    }
}

// A label in what is left out is a way in.
void kernel_label(int n, int *restrict a)
{
    for (int i = 0; i < n; i++) { // loop: sequential, because it prints
        if (i == 6)
            goto inside;
        if (DEBUG) {
        inside:
            say(i);
        }
        a[i] = i % 4;
    }
}

// And so is a case.
void kernel_case(int n, int *restrict a)
{
    for (int i = 0; i < n; i++) { // loop: sequential, because it prints
        switch (i) {
        case 9:
            a[i] = 1;
            if (DEBUG) {
            case 8:
                say(i);
            }
            break;
        default:
            a[i] = i % 5;
        }
    }
}

// The call is not made; what it is compared with is.
int kernel_tests(int n, int *restrict a)
{
    int calls = 0;
    for (int i = 0; i < n; i++) { // loop: parallel, reduction(+:calls)
        if (DEBUG && printf("%d\n", i) > 0)
            calls++;
        a[i] = 2 * i + 1;
    }
    return calls;
}

int main(void)
{
    int *a = calloc(N, sizeof *a);
    kernel_constants(N, a);
    show("constants", a);
    kernel_known(N, 4, a);
    kernel_known(N, 0, a);
    show("known", a);
    kernel_flag(N, a);
    verbose = 1;
    kernel_flag(3, a);
    show("flag", a);
    kernel_changes(N, a);
    show("changes", a);
    kernel_known_elsewhere(N, 5, a);
    kernel_known_elsewhere(N, -2, a);
    show("known elsewhere", a);
    kernel_label(N, a);
    show("label", a);
    kernel_case(N, a);
    show("case", a);
    printf("%d\n", kernel_tests(N, a));
    show("tests", a);
    free(a);
    return 0;
}

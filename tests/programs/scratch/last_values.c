// last_values: what the last iteration leaves in variables is used behind the loop, however the loop counts and wherever its body ends.
// sizes: -DN=67
// not: reversed
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 101
#endif
#define FOUR 4

static int a[N], b[N], flat[FOUR * N];
static double d[N];

static void fill(int n)
{
    for (int i = 0; i < n; i++) { // loop: parallel
        a[i] = (i * 7 + i / 16) % 23 - 9;
        b[i] = 0;
        d[i] = i * 0.25 - 3;
    }
}

/* Of every type that comes back, and of one that is not set where the loop does not run. */
double kernel_types(int n, const int *restrict v, double *restrict w)
{
    double x = 0.5;
    float y = 1.5f;
    short s = 7;
    unsigned char c = 9;
    long l = -1;
    _Bool is_odd = 0;
    for (int i = 0; i < n; i++) { // loop: parallel, lastprivate(x, y, s, c, l, is_odd)
        x = w[i] * 2;
        y = (float)v[i] + 0.25f;
        s = (short)(v[i] - i);
        c = (unsigned char)v[i];
        l = (long)v[i] * 8589934592L;
        is_odd = v[i] % 2 != 0;
        w[i] = x + y + s + c + is_odd;
    }
    return x + y + s + c + (double)l + is_odd;
}

/* Nothing but the statement. */
int kernel_short(int n, const int *v)
{
    int t = 5;
    for (int i = 0; i < n; i++) t = v[i] * 2; // loop: parallel, lastprivate(t)
    return t;
}

int kernel_next_line(int n, const int *v)
{
    int t = 5;
    for (int i = 0; i < n; i++) // loop: parallel, lastprivate(t)
        if (v[i] > 0)
            t = v[i];
        else
            t = -v[i];
    return t;
}

int kernel_one_line(int n, const int *restrict v, int *restrict w)
{
    int t = 1, u = 2;
    for (int i = 0; i < n; i++) { t = v[i]; u = t - i; w[i] = t * u; } // loop: parallel, lastprivate(t, u)
    return t * 100 + u;
}

/* Directly below it stands another loop. */
int kernel_nested(int n, int *restrict v)
{
    int t = 3;
    for (int i = 0; i < n; i++) // loop: parallel, lastprivate(t)
        for (int j = 0; j < FOUR; j++) { // loop: parallel, lastprivate(t)
            t = i * j + v[FOUR * i + j];
            v[FOUR * i + j] = t;
        }
    return t;
}

/* Other ways to count. */
int kernel_down(int n, const int *restrict v, int *restrict w)
{
    int t = 3, i;
    for (i = n - 1; i >= 2; i -= 3) { // loop: parallel, lastprivate(t)
        t = v[i] + i;
        w[i] = t;
    }
    return t * 1000 + i;
}

int kernel_steps(int from, int to, const int *restrict v, int *restrict w)
{
    int t = 3;
    for (int i = from; i <= to; i += 4) { // loop: parallel, lastprivate(t)
        t = v[i] - i;
        w[i] = t;
    }
    return t;
}

unsigned kernel_unsigned(unsigned n, const int *restrict v, int *restrict w)
{
    unsigned t = 3;
    for (unsigned i = 0; i < n; i++) { // loop: parallel, lastprivate(t)
        t = (unsigned)v[i] + i;
        w[i] = v[i] + 1;
    }
    return t;
}

int kernel_sizes(size_t n, const int *restrict v, int *restrict w)
{
    int t = 3;
    for (size_t i = 1; i < n; i++) { // loop: parallel, lastprivate(t)
        t = v[i];
        w[i] = t + 1;
    }
    return t;
}

/* As often as the program says. */
int kernel_named(void)
{
    int t;
    for (int i = 0; i < N; i++) { // loop: parallel, lastprivate(t)
        t = a[i] + 2;
        b[i] = t;
    }
    return t;
}

int kernel_ten(void)
{
    int t;
    for (int i = 0; i < 10; i++) { // loop: parallel, lastprivate(t)
        t = a[i] + 3;
        b[i] = t;
    }
    return t;
}

/* One after the other, with the same variable, which is the size of the third. */
int kernel_in_turn(int n, int *restrict v, int *restrict w)
{
    int t = 0;
    for (int i = 0; i < n; i++) { // loop: parallel, lastprivate(t)
        t = i + 1;
        v[i] += t;
    }
    w[0] += t;
    for (int i = 1; i < n; i++) { // loop: parallel, lastprivate(t)
        t = (v[i] & 7) + i;
        w[i] = v[i] - t;
    }
    int sum = 0;
    for (int i = 0; i < t && i < n; i++) // loop: parallel, reduction(+:sum)
        sum += w[i];
    return sum + t;
}

/* Where it is in memory, the size of what a kernel behind it touches is known only there. */
static int size = 2;

int kernel_in_memory(int n, const int *restrict v, int *restrict w, int *restrict x)
{
    for (int i = 0; i < n; i++) { // loop: parallel, lastprivate(size)
        size = (v[i] & 15) + 3;
        w[i] = size;
    }
    for (int j = 0; j < size; j++) // loop: parallel
        x[j] = w[j] + 1;
    return size;
}

int kernel_place_in_memory(int n, const int *restrict v, int *restrict w, int *restrict x)
{
    static int place;
    for (int i = 0; i < n; i++) { // loop: parallel, lastprivate(place)
        place = (v[i] & 7) + 2;
        w[i] = place - 1;
    }
    for (int j = 0; j < 20; j++) // loop: parallel
        x[j + place] = w[j] + 1;
    return place;
}

/* In steps on the host. */
int kernel_steps_in_time(int n, int steps, int *restrict v)
{
    int last = 1;
    for (int s = 0; s < steps; s++) { // loop: sequential, pair(+4 v[i], +4 v[i]), because last and v[i] are read in the next step
        int add = last % 5;
        for (int i = 0; i < n; i++) { // loop: parallel, lastprivate(last)
            last = v[i] + add;
            v[i] = last % 1000;
        }
    }
    return last;
}

/* A counter beside it, which is taken along, and one of the loop inside. */
int kernel_counts(int n, const int *restrict v, int *restrict w)
{
    int k = 3, t = 0, j = 0;
    for (int i = 0; i < n; i++) { // loop: parallel, lastprivate(t, j) // induction: k is 2 * i + 3
        t = v[i] + k;
        k += 2;
        for (j = 0; j < FOUR; j++) // loop: parallel
            w[FOUR * i + j] = t - j;
    }
    return t * 100 + k * 10 + j;
}

/* What hides the variable ends before the end of the body. */
int kernel_hides(int n, const int *restrict v, int *restrict w)
{
    int t = 0;
    for (int i = 0; i < n; i++) { // loop: parallel, lastprivate(t)
        t = v[i] + 1;
        {
            int t = 5;
            w[i] = t;
        }
    }
    return t;
}

/* These stay on the host: an iteration may not come to its end, or leaves more than a number. */
int kernel_continues(int n, const int *restrict v, int *restrict w)
{
    int t = 0;
    for (int i = 0; i < n; i++) { // loop: parallel, lastprivate(t)
        t = v[i] * 3;
        if (t > 6)
            continue;
        w[i] = t;
    }
    return t;
}

int kernel_inner_continue(int n, const int *restrict v, int *restrict w)
{
    int t = 0;
    for (int i = 0; i < n; i++) { // loop: parallel, lastprivate(t)
        t = v[i] * 3;
        for (int j = 0; j < FOUR; j++) { // loop: parallel
            if (t > j)
                continue;
            w[FOUR * i + j] = t;
        }
    }
    return t;
}

int kernel_points(int n, int *restrict v)
{
    int *p = v;
    for (int i = 0; i < n; i++) { // loop: parallel, lastprivate(p)
        p = v + i;
        *p += i;
    }
    return *p;
}

int kernel_hides_at_the_end(int n, const int *restrict v, int *restrict w)
{
    int t = 0;
    for (int i = 0; i < n; i++) { // loop: parallel, lastprivate(t)
        t = v[i] + 1;
        int t = v[i] - 1;
        w[i] = t;
    }
    return t;
}

int main(void)
{
    for (int n = N; n >= -1; n -= n > 3 ? n - 3 : 1) { // loop: sequential, pair(a[i], a[i]), because it prints
        fill(N);
        printf("%d: %.2f\n", n, kernel_types(n, a, d));
        printf("%d\n", kernel_short(n, a));
        printf("%d\n", kernel_next_line(n, a));
        printf("%d\n", kernel_one_line(n, a, b));
        printf("%d\n", kernel_nested(n, flat));
        printf("%d\n", kernel_down(n, a, b));
        printf("%d\n", kernel_steps(1, n - 1, a, b));
        printf("%d\n", kernel_steps(n / 2, n - 1, a, b));
        printf("%d\n", (int)kernel_unsigned(n < 0 ? 0 : (unsigned)n, a, b));
        printf("%d\n", kernel_sizes(n < 0 ? 0 : (size_t)n, a, b));
        printf("%d\n", kernel_named());
        printf("%d\n", kernel_ten());
        printf("%d\n", kernel_in_turn(n, a, b));
        printf("%d\n", kernel_steps_in_time(n, 3, a));
        printf("%d\n", kernel_in_memory(n, a, b, flat));
        printf("%d\n", kernel_place_in_memory(n, a, b, flat));
        printf("%d\n", kernel_counts(n, a, flat));
        printf("%d\n", kernel_hides(n, a, b));
        printf("%d\n", kernel_continues(n, a, b));
        printf("%d\n", kernel_inner_continue(n, a, flat));
        printf("%d\n", kernel_hides_at_the_end(n, a, b));
        if (n > 0)
            printf("%d\n", kernel_points(n, a));
        long sum = 0;
        for (int i = 0; i < N; i++) // loop: parallel, reduction(+:sum)
            sum += a[i] + 3L * b[i] + (long)d[i] + 7L * flat[FOUR * i] + flat[FOUR * i + 3];
        printf("%ld\n", sum);
    }
    return 0;
}

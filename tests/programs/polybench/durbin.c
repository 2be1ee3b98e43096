// DURBIN: the Levinson-Durbin recursion for a Toeplitz system; arrays of the file and one of the kernel.
// sizes: -DN=29
// variants: long split
#include <stdint.h>
#include <stdio.h>

/* The reflection coefficients are halves or zero, and r is made from them: every quotient is exact. */
#ifndef N
#define N 21
#endif
#define DATA double

static DATA r[N];
static DATA y[N];

void kernel_durbin(void)
{
    DATA z[N];
    DATA alpha, beta, sum;

    y[0] = -r[0];
    beta = 1;
    alpha = -r[0];
    for (int k = 1; k < N; k++) { // loop: sequential, pair(+9 y[i], +4 y[i]), because every step uses the solution of the step before
        beta = (1 - alpha * alpha) * beta;
        sum = 0;
        for (int i = 0; i < k; i++) // loop: parallel, reduction(+:sum)
            sum += r[k - i - 1] * y[i];
        alpha = -(r[k] + sum) / beta;
        for (int i = 0; i < k; i++) // loop: parallel
            z[i] = y[i] + alpha * y[k - i - 1];
        for (int i = 0; i < k; i++) // loop: parallel
            y[i] = z[i];
        y[k] = alpha;
    }
}

/* The recursion with given coefficients, solved for r. */
static void correlations(void)
{
    DATA solution[N];
    DATA next[N];
    DATA error = 1;
    for (int k = 0; k < N; k++) { // loop: sequential, pair(+5 r[k], +4 r[k - i - 1]), because every step uses the solution of the step before
        DATA coefficient = k % 5 != 2 ? 0 : k % 2 ? -0.5 : 0.5;
        DATA sum = 0;
        for (int i = 0; i < k; i++) // loop: parallel, reduction(+:sum)
            sum += r[k - i - 1] * solution[i];
        r[k] = -coefficient * error - sum;
        for (int i = 0; i < k; i++) // loop: parallel
            next[i] = solution[i] + coefficient * solution[k - i - 1];
        for (int i = 0; i < k; i++) // loop: parallel
            solution[i] = next[i];
        solution[k] = coefficient;
        error *= 1 - coefficient * coefficient;
    }
}

static void fill1(int n, DATA *a, int step)
{
    for (int i = 0; i < n; i++) // loop: parallel
        a[i] = (DATA)((i * step + i / 8) % 7 - 3);
}

static void show1(const char *name, int n, const DATA *a)
{
    uint64_t sum = 0;
    for (int i = 0; i < n; i++) // loop: parallel, reduction(+:sum)
        sum += (uint64_t)(int64_t)(a[i] * 4096.0) * (uint64_t)(2 * i + 1);
    printf("%s: %016llx first %g middle %g last %g\n", name, (unsigned long long)sum, a[0], a[n / 2], a[n - 1]);
}

int main(void)
{
    correlations();
    fill1(N, y, 2);
    kernel_durbin();
    show1("r", N, r);
    show1("y", N, y);
    return 0;
}

// called: functions that kernels call read and write variables of the file, which kernels name, too: tables, scalars, a structure, parts of an array.
// sizes: -DN=61 -DSTEPS=4
#include <stdint.h>
#include <stdio.h>

#ifndef N
#define N 37
#endif
#ifndef STEPS
#define STEPS 3
#endif

static double table[5][13], weights[3];
double seen[3];
int size = 7;
static int shift;
static const double coefficients[4] = {1.0, 2.0, 4.0, 8.0};
static double out[N], result[N], work[3];
static const unsigned char one = 1;
static struct setting {
    double a[4];
    int times;
} setting = {{1.0, 2.0, 3.0, 4.0}, 2};

static double look(int k) { return table[k % 5][k % 13] + shift; }
static double weigh(int k) { return look(k) * size + coefficients[k % 4]; }
static double see(int k) { return seen[k % 3]; }
static double tuned(int k) { return setting.a[k % 4] * setting.times; }
static void put(int k, double v) { out[k] = v + weights[k % 3]; }
static double of_out(int k) { return out[k]; }
static double sum_of_work(void) { return work[0] + work[1] + work[2]; }

static void show(const char *name, const double *v, int n)
{
    uint64_t sum = 0;
    for (int i = 0; i < n; i++) // loop: parallel, reduction(+:sum)
        sum += (uint64_t)(int64_t)(v[i] * 4096.0) * (uint64_t)(2 * i + 1);
    printf("%s: %016llx first %.1f last %.1f\n", name, (unsigned long long)sum, v[0], v[n - 1]);
}

static void kernel_fill(int step)
{
    for (int i = 0; i < 5; i++) // loop: parallel
        for (int j = 0; j < 13; j++) // loop: parallel
            table[i][j] = i * 13 + j * step;
    for (int i = 0; i < 3; i++) // loop: parallel
        weights[i] = i + step;
}

/* Scalars are set by the host before each of these kernels. */
static void kernel_weigh(int n)
{
    for (int i = 0; i < n; i++) // loop: parallel
        result[i] = weigh(i) + table[1][2] + tuned(i);
    shift++;
    for (int i = 0; i < n; i++) // loop: parallel
        put(i, weigh(i) + result[i]);
    for (int i = 0; i < n; i++) // loop: parallel
        result[i] += out[i] * 2.0 + size;
}

/* A part of the table, and not its beginning. */
static void kernel_rows(void)
{
    for (int i = 1; i < 5; i++) // loop: parallel
        for (int j = 0; j < 13; j++) // loop: parallel
            table[i][j] += weights[1];
}

/* The host sets an element between the kernels. */
static void kernel_steps(int n)
{
    for (int t = 0; t < STEPS; t++) { // loop: sequential, pair(out[k], out[k]), because each step reads what the one before it wrote
        for (int i = 0; i < n; i++) // loop: parallel
            put(i, see(i) + out[i] * 0.5);
        seen[1] = t + 5.0;
        for (int i = 0; i < n; i++) // loop: parallel
            out[i] += see(i + 1);
    }
}

/* Of a static variable clang takes no `update`. */
static void kernel_static_steps(int n)
{
    for (int t = 0; t < STEPS; t++) { // loop: sequential, pair(out[k], out[k]), because each step reads what the one before it wrote
        for (int i = 0; i < n; i++) // loop: parallel
            put(i, look(i) + out[i] * 0.5);
        table[2][3] = t + 5.0;
        for (int i = 0; i < n; i++) // loop: parallel
            out[i] += look(i + 1);
    }
}

/* A counter that begins with a value of the file is set in each iteration. */
static void kernel_counter(int n)
{
    int k = shift;
    for (int i = 0; i < n; i++) { // loop: parallel
        out[i] += k;
        k += 2;
    }
}

/* Functions know the same storage by another name. */
static void kernel_names(int n)
{
    const double *p = out;
    for (int i = 0; i < n - 1; i++) // loop: parallel
        result[i] += p[i + 1] + of_out(i);
}

/* A parameter hides the variable. */
static void kernel_hidden(int n, int size)
{
    for (int i = 0; i < n; i++) // loop: parallel
        result[i] = weigh(i) + size;
}

/* The byte may be one of a number that the function uses. */
static void kernel_byte(const unsigned char *byte, int n)
{
    for (int i = 0; i < n; i++) // loop: parallel
        result[i] += *byte + weigh(i);
}

/* Each iteration has its own, which the function would not see. */
static void kernel_own(int n)
{
    for (int i = 0; i < n; i++) { // loop: parallel, private(work)
        for (int k = 0; k < 3; k++) // loop: parallel
            work[k] = i + k;
        result[i] += sum_of_work();
    }
    for (int k = 0; k < 3; k++) // loop: parallel
        work[k] = 0.0;
}

int main(void)
{
    for (int step = 1; step < 4; step++) { // loop: sequential, pair(result[i], result[i]), because each step goes on with the results of the one before it
        shift = step * 3;
        size = step + 4;
        kernel_fill(step);
        kernel_weigh(N);
        kernel_rows();
        show("result", result, N);
        kernel_steps(N);
        kernel_static_steps(N);
        show("out", out, N);
        kernel_counter(N);
        kernel_names(N);
        kernel_hidden(N, 2);
        kernel_own(N);
        kernel_byte(&one, N);
        kernel_byte((const unsigned char *)&size + 1, N);
        show("result", result, N);
        show("table", table[0], 65);
    }
    return 0;
}

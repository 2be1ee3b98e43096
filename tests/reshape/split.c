// Bodies of nests that are split in two, so that perfect nests are left, or a part runs in parallel that did not; and some that must stay.
// done: 26: split before line 29
// done: 37: split before line 39
// done: 51: split before line 54
// done: 62: split before line 65
// done: 73: split before line 75
// done: 62: the loops over i, k together, in the order i, k
// done: 64: the loops over j, k together, in the order j, k, i
// done: 75: the loops over j, i together, in the order j, i
#include <stdio.h>

#define N 70
#define COLUMNS(j) for (int j = 0; j < N; j++)

static double a[N][N], b[N][N], c[N][N], s[N], late[N + 1];
static int bounds[2] = { N, N };
static volatile int seen;

static double half(double x)
{
    return x / 2;
}

void rows(void)
{
    for (int i = 0; i < N; i++) {
        s[i] = half(i);  // the row's own
        // all of the row
        for (int j = 0; j < N; j++)
            a[i][j] = b[i][j] + i + 2 * j;
    }
}

// The first part carries a dependence, the second does not.
void recurrence(int n, double *restrict x, double *restrict y, const double *restrict z)
{
    for (int i = 1; i < n; i++) {
        x[i] = x[i - 1] * 0.5 + z[i];
        double t = z[i] * 2;
        for (int k = 0; k < N; k++)
            t += z[k] * y[i];
        y[i] = t;
    }
}

// Variables that are declared outside, a nest that is the branch of an if, loops without braces between.
void old_style(int wanted)
{
    int i, j;
    if (wanted)
        for (i = 0; i < N; i++)
        {
            for (j = 0; j < N; j++) b[i][j] = i - j;
            for (j = 0; j < N; j++) c[j][i] = b[i][j] * 2;
        }
    else
        s[0] = 1;
}

void two_heads(void)
{
    for (int k = 0; k < N; k++)
        for (int i = 0; i < 3; i++) { c[i][k] = k + i;
            // both heads come again
            for (int j = 0; j < N; j++)
                b[j][k] += i == 1 ? c[1][k] : 0;
        }
}

// What the second part reads was written in the first, in this iteration or in an earlier one.
void forward(void)
{
    for (int i = 2; i < N; i++) {
        late[i] = late[i - 1] + 1;
        for (int j = 0; j < N; j++)
            a[j][i] = late[i] - late[i - 2] + j;
    }
}

// Stays: its caller starts a kernel, in which it runs.
static void layer(double (*restrict to)[N], double *restrict line, int k)
{
    for (int i = 0; i < N; i++) {
        line[i] = i * 0.5 + k;
        for (int j = 0; j < N; j++)
            to[i][j] = i + j;
    }
}

static double deep[N][N][N];

void layers(void)
{
    for (int k = 0; k < N; k++)
        layer(deep[k], c[k], k);
}

// Stays: an iteration of the first part needs what an earlier one of the second did.
void backward(void)
{
    for (int i = 1; i < N; i++) {
        s[i] = b[i - 1][3];
        for (int j = 0; j < N; j++)
            b[i][j] = s[i] + j;
    }
}

// Stays: a scalar goes across.
void across(void)
{
    for (int i = 0; i < N; i++) {
        double t = s[i] * 2;
        for (int j = 0; j < N; j++)
            a[i][j] += t;
    }
}

// Stays: a scalar goes across that is declared outside.
void across_from_outside(void)
{
    double t;
    for (int i = 0; i < N; i++) {
        t = s[i] * 3;
        for (int j = 0; j < N; j++)
            a[i][j] += t;
    }
}

// Stays: a scalar of an earlier iteration is used in the first part.
void across_backwards(void)
{
    double t = 1;
    for (int i = 0; i < N; i++) {
        s[i] += t;
        for (int j = 0; j < N; j++)
            c[i][j] += 1;
        t = i;
    }
}

// Stays: an array of each iteration goes across.
void row_of_its_own(void)
{
    double row[N];
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < N; j++)
            row[j] = a[i][j] + 1;
        for (int j = 0; j < N; j++)
            b[i][j] = row[N - 1 - j];
    }
}

// Stays: it may end early.
void until(void)
{
    for (int i = 0; i < N; i++) {
        s[i] += 1;
        if (s[i] > 1e9)
            break;
        for (int j = 0; j < N; j++)
            a[i][j] += 1;
    }
}

// Stays: who looks on sees the order.
void watched(void)
{
    for (int i = 0; i < N; i++) {
        seen = i;
        for (int j = 0; j < N; j++)
            a[i][j] += 2;
    }
}

// Stays: the first part changes how far the loop goes.
void moving_end(void)
{
    for (int i = 0; i < bounds[0]; i++) {
        bounds[1 - (i < N)] = N - 3;
        for (int j = 0; j < N; j++)
            a[i][j] += 3;
    }
}

// Stays: the head comes out of a macro.
void by_macro(void)
{
    COLUMNS(i) {
        s[i] += 2;
        for (int j = 0; j < N; j++)
            a[i][j] += s[j] > 1e9 ? 1 : 4;
    }
}

// Stays: a line for the compiler stands before it.
void for_the_compiler(void)
{
#pragma GCC ivdep
    for (int i = 0; i < N; i++) {
        late[i] += 2;
        for (int j = 0; j < N; j++)
            a[i][j] += 4;
    }
}

int main(void)
{
    old_style(1);
    rows();
    recurrence(N, c[3], c[4], b[5]);
    two_heads();
    forward();
    layers();
    backward();
    across();
    across_from_outside();
    across_backwards();
    row_of_its_own();
    until();
    watched();
    moving_end();
    by_macro();
    for_the_compiler();
    double total = 0;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            total += (a[i][j] - b[i][j]) * (1 + (i + 2 * j) % 3) + c[i][j] * 0.125;
    printf("%.6e %.3f %.3f\n", total, s[7] + late[9], c[4][3] + deep[3][4][5]);
    return 0;
}

// Kernels that were collapsed for a GPU. On a processor one loop is enough, or two of three; some must stay as they are.
// done: 20: the loop over i in parallel, not 2
// done: 29: the loops over k, j together, not 3
// done: 40: the loop over j in parallel, not 2
// done: 51: the loop over i in parallel, not 2
// done: 64: the loop over i in parallel, not 2
// done: 73: the loop over i in parallel, not 2
#include <stdio.h>

#define N 96

static double a[N][N], b[N][N];
static float c[12][N][N];
static double sums[N];
static int table[N * N];

void plain(void)
{
    #pragma omp parallel for collapse(2)
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            a[i][j] = i - 2 * j;
}

// The outermost loop alone is too short for 64 cores.
void two_of_three(void)
{
    #pragma omp target teams distribute parallel for collapse(3) map(tofrom: c)
    for (int k = 0; k < 12; k++)
        for (int j = 0; j < N; j++)
            for (int i = 0; i < N; i++)
                c[k][j][i] += 0.5f * i;
}

// The directive's line goes on, with a comment behind it.
void continued(int n)
{
    #pragma omp parallel for schedule(static) \
        collapse(2) // for the GPU
    for (int j = 0; j < n; j++)
        for (int i = 0; i < N; i++)
            b[j][i] = a[j][i] + 1;
}

// Sums may be added up in another order, and a name that is private stays private.
double summed(void)
{
    double total = 0;
    int low;
    #pragma omp parallel for collapse(2) reduction(+: total) private(low)
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            low = i < j ? i : j;
            table[i * N + j] = low;
            total += low;
        }
    return total;
}

// A part of a body that is done once for each row.
void inner_sum(void)
{
    #pragma omp parallel for collapse(2) schedule(dynamic)
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            for (int k = 0; k < 4; k++)
                b[i][j] += a[i][j] * k;
}

void by_openacc(void)
{
    #pragma acc parallel loop collapse(2) copy(a)
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            a[i][j] *= 2;
}

// Stays: with the clause, j is private.
void shared_variable(void)
{
    int i, j;
    #pragma omp parallel for collapse(2)
    for (i = 0; i < N; i++)
        for (j = 0; j < N; j++)
            a[i][j] += 1;
}

// Stays: neighbours write neighbouring rows already, and one loop alone would write neighbouring elements.
void columns(void)
{
    #pragma omp parallel for collapse(2)
    for (int j = 0; j < N; j++)
        for (int i = 0; i < N; i++)
            a[i][j] += 2;
}

// Stays: there are too few rows for 64 cores.
void few_rows(void)
{
    #pragma omp parallel for collapse(2)
    for (int k = 0; k < 12; k++)
        for (int i = 0; i < N; i++)
            c[k][0][i] += 3;
}

// Stays: the chunks of a thread are longer than a line.
void long_chunks(void)
{
    #pragma omp parallel for collapse(2) schedule(static, 16)
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            b[i][j] -= 1;
}

// Stays: the iterations of both loops are numbered through.
void ordered(void)
{
    #pragma omp parallel for collapse(2) ordered
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            a[i][j] += 1;
            #pragma omp ordered
            sums[0] = 2 * sums[0] / 3 + a[i][j];
        }
}

int main(void)
{
    plain();
    two_of_three();
    continued(N);
    sums[1] = summed();
    inner_sum();
    by_openacc();
    shared_variable();
    columns();
    few_rows();
    long_chunks();
    ordered();
    double total = 0;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            total += a[i][j] * (i % 5) + b[i][j] * (j % 3) + c[i % 12][j][i] + table[i * N + j];
    printf("%.3f %.3f %.3f\n", total, sums[0], sums[1]);
    return 0;
}

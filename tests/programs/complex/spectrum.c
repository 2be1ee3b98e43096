// spectrum: complex numbers in arrays, structures, parameters and results of functions, with a transform over the fourth roots of unity.
// sizes: -DN=36 -DM=7
#include <complex.h>
#include <stdio.h>
#include <stdlib.h>
#ifndef N
#define N 52 /* a multiple of 4 */
#endif
#ifndef M
#define M 9
#endif

struct mode {
    double complex amplitude;
    float complex phase;
    int number;
};

static double complex roots[4];

static double complex turned(double complex z, int quarter)
{
    return quarter % 2 ? z * I : -z;
}

static double squared(double complex z)
{
    return creal(z) * creal(z) + cimag(z) * cimag(z);
}

/* The sum is each iteration's own. */
void kernel_transform(int n, double complex *restrict out, const double complex *restrict in)
{
    for (int k = 0; k < n; k++) { // loop: parallel
        double complex sum = 0;
        for (int j = 0; j < n; j++) // loop: parallel, reduction(+:sum)
            sum += in[j] * roots[(k * j) % 4];
        out[k] = sum;
    }
}

/* Mixed types: the product of a float complex and a double is computed in double complex, and rounded. */
void kernel_mixed(int n, float complex *restrict f, double by, const int *restrict shift)
{
    for (int i = 0; i < n; i++) { // loop: parallel
        f[i] *= by;
        f[i] -= shift[i];
        f[i] = f[i] + 2 * I;
    }
}

void kernel_parts(int n, double *restrict power, double *restrict angle, const double complex *restrict z)
{
    for (int i = 0; i < n; i++) { // loop: parallel
        power[i] = squared(z[i]);
        angle[i] = __imag__ z[i] - __real__ conj(z[i]);
    }
}

/* Every iteration uses what the one before it stored. */
void kernel_chain(int n, double complex *z)
{
    for (int i = 1; i < n; i++) // loop: sequential, pair(+1 z[i], +1 z[i - 1]), because z[i - 1] is written by the iteration before
        z[i] = turned(z[i - 1], i) + z[i];
}

void kernel_modes(int n, struct mode *m, int from)
{
    for (int i = 0; i < n; i++) { // loop: parallel
        if (m[i].amplitude != 0 && m[i].number >= from)
            m[i].amplitude = ~m[i].amplitude;
        m[i].phase++;
    }
}

void kernel_planes(int n, double complex (*a)[M], const double complex k)
{
    for (int i = 0; i < n; i++) // loop: parallel
        for (int j = 0; j < M; j++) // loop: parallel
            a[i][j] = (a[i][j] + k) * (1 - 2 * I);
}

/* Copies of a complex sum are more than clang's device code can combine without another library. */
double complex kernel_total(int n, const double complex *z)
{
    double complex total = 0, product = 1;
    for (int i = 0; i < n; i++) { // loop: parallel, reduction(+:total), reduction(*:product)
        total += z[i];
        product *= I;
    }
    return total + product;
}

static long checksum(const double *v, int n)
{
    long h = 0;
    for (int i = 0; i < n; i++) // loop: parallel, reduction(+:h)
        h += (long)(v[i] * 4096) * (2L * i + 1);
    return h;
}

int main(void)
{
    double complex *in = malloc(N * sizeof *in), *out = malloc(N * sizeof *out);
    double complex(*planes)[M] = malloc(N * sizeof *planes);
    float complex *f = malloc(N * sizeof *f);
    double *power = malloc(N * sizeof *power), *angle = malloc(N * sizeof *angle);
    int *shift = malloc(N * sizeof *shift);
    struct mode *modes = malloc(N * sizeof *modes);
    if (!in || !out || !planes || !f || !power || !angle || !shift || !modes)
        return 1;
    roots[0] = 1;
    roots[1] = -I;
    roots[2] = -1;
    roots[3] = I;
    for (int i = 0; i < N; i++) { // loop: parallel
        in[i] = i % 7 + I * (i % 5);
        f[i] = i - I * (i % 3);
        shift[i] = i % 4;
        modes[i].amplitude = i % 6 * (1 + I);
        modes[i].phase = i % 2 ? I : 1;
        modes[i].number = i;
        for (int j = 0; j < M; j++) // loop: parallel
            planes[i][j] = i + j * I;
    }
    kernel_transform(N, out, in);
    printf("out %ld\n", checksum((double *)out, 2 * N));
    kernel_parts(N, power, angle, out);
    printf("power %ld angle %ld\n", checksum(power, N), checksum(angle, N));
    kernel_mixed(N, f, 0.5, shift);
    printf("f %g %g\n", crealf(f[N / 2]), cimagf(f[N - 1]));
    kernel_chain(N, in);
    printf("in %ld\n", checksum((double *)in, 2 * N));
    kernel_modes(N, modes, 3);
    printf("modes %g %g %g\n", cimag(modes[1].amplitude), cimag(modes[4].amplitude), crealf(modes[5].phase));
    kernel_planes(N, planes, 3 * I);
    printf("planes %ld\n", checksum((double *)planes, 2 * N * M));
    double complex total = kernel_total(N, in);
    printf("total %g %g\n", creal(total), cimag(total));
    free(in);
    free(out);
    free(planes);
    free(f);
    free(power);
    free(angle);
    free(shift);
    free(modes);
    return 0;
}

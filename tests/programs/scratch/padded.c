// padded: structures with gaps between their members, set member by member and copied as a whole.
// sizes: -DN=101
#include <stdint.h>
#include <stdio.h>

#ifndef N
#define N 37
#endif

struct sample {
    char kind;
    double value;
    short weight;
};

static double x[N], y[N];

static void show(const char *name, const double *v, int n)
{
    int64_t sum = 0;
    for (int i = 0; i < n; i++) // loop: parallel, reduction(+:sum)
        sum += (int64_t)(v[i] * 4096) * (2 * i + 1);
    printf("%s: %lld first %g last %g\n", name, (long long)sum, v[0], v[n - 1]);
}

/* Every member is set before the structure is copied: what lies between them is nobody's. */
void kernel_copied(int n, const double *restrict v, double *restrict w)
{
    struct sample t;
    for (int i = 0; i < n; i++) { // loop: parallel, private(t)
        t.kind = (char)(i % 3);
        t.value = v[i];
        t.weight = (short)(i % 5);
        struct sample u = t;
        w[i] = u.value * u.weight + u.kind;
    }
}

/* The same with an array of structures. */
void kernel_pair(int n, const double *restrict v, double *restrict w)
{
    struct sample t[2];
    for (int i = 0; i < n; i++) { // loop: parallel, private(t)
        t[0].kind = (char)(i % 2);
        t[0].value = v[i] + 1;
        t[0].weight = 3;
        t[1] = t[0];
        w[i] += t[1].value * t[1].weight + t[1].kind;
    }
}

/* One member is not set: it is that of the iteration before. */
void kernel_kept(int n, const double *restrict v, double *restrict w)
{
    struct sample t = {1, 2, 3};
    for (int i = 0; i < n; i++) { // loop: sequential, pair(+1 t.kind, +5 t), because t.weight is that of the last iteration that set it
        t.kind = (char)(i % 3);
        t.value = v[i];
        if (v[i] > 1)
            t.weight = (short)(i % 5);
        struct sample u = t;
        w[i] += u.value * u.weight + u.kind;
    }
}

int main(void)
{
    for (int i = 0; i < N; i++) { // loop: parallel
        x[i] = i % 7 * 0.5;
        y[i] = 0;
    }
    kernel_copied(N, x, y);
    show("copied", y, N);
    kernel_pair(N, x, y);
    show("pair", y, N);
    kernel_kept(N, x, y);
    show("kept", y, N);
    return 0;
}

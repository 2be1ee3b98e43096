// whole_structures: structures that are copied whole from a parameter, a local variable, a constant and a choice of two; without and with an address in them.
// sizes: -DN=71
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 43
#endif

typedef struct {
    double x, y, z;
    int place[3];
} vector;

typedef struct {
    int *to;
    int number;
} leading;

static const vector zero = {0, 0, 0, {7, 8, 9}};

void kernel_parameter(int n, vector *restrict f, vector v)
{
    for (int i = 0; i < n; i++) // loop: parallel
        f[i] = v;
}

void kernel_constant(int n, vector *restrict f)
{
    for (int i = 0; i < n; i += 3) // loop: parallel
        f[i] = zero;
}

void kernel_choice(int n, vector *restrict f)
{
    for (int i = 1; i < n; i += 3) // loop: parallel
        f[i] = i & 1 ? zero : (vector){1, 2, 3, {i, i + 1, i + 2}};
}

void kernel_local(int n, vector *restrict f)
{
    vector v = {5, 6, 7, {1, 1, 1}};
    v.y += n;
    for (int i = 2; i < n; i += 6) { // loop: parallel
        vector own = v;
        own.x = i;
        f[i] = own;
    }
}

/* The address that is stored is one of the host. */
void kernel_leading(int n, leading *restrict l, leading first)
{
    for (int i = 0; i < n; i++) // loop: parallel
        l[i] = first;
}

int main(void)
{
    vector *f = malloc(N * sizeof *f);
    leading *l = malloc(N * sizeof *l);
    int number = 5;
    kernel_parameter(N, f, (vector){3, 1, 4, {1, 5, 9}});
    kernel_constant(N, f);
    kernel_choice(N, f);
    kernel_local(N, f);
    kernel_leading(N, l, (leading){&number, 6});
    double sum = 0;
    for (int i = 0; i < N; i++) // loop: parallel, reduction(+:sum)
        sum += (f[i].x + 2 * f[i].y + 3 * f[i].z + f[i].place[0] + 5 * f[i].place[2]) * (2 * i + 1);
    printf("%g %g %d %d\n", sum, f[2].x, *l[3].to, l[N - 1].number);
    free(f);
    free(l);
    return 0;
}

// chosen_pointers: pointers that lead to one of several objects, by conditions that differ from iteration to iteration or do not.
// sizes: -DN=75 -DM=38
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 101
#endif
#ifndef M
#define M 23
#endif

static int low[N], high[N];

// Chosen in each iteration: the first elements of one, the others of the other.
void kernel_parts(int n, int m, const int *restrict a, const int *restrict b, int *restrict out)
{
    for (int i = 0; i < n; i++) { // loop: parallel
        const int *p;
        if (i < m)
            p = a;
        else
            p = b;
        out[i] = 3 * p[i]; // read a[0 .. m-1], read b[m .. n-1], write out[0 .. n-1]
    }
}

// Every other thread at the other object; what is written lies in objects with names.
void kernel_turns(int n, const int *restrict in)
{
    for (int i = 0; i < n; i++) { // loop: parallel
        int *p = i % 2 ? low : high;
        p[i] = in[i] - 5;
    }
}

// Chosen before the loop: no variable of the loop names what is touched.
void kernel_before(int n, int c, const int *restrict a, const int *restrict b, int *restrict out)
{
    const int *p = c ? a : b;
    for (int i = 0; i < n; i++) // loop: parallel
        out[i] = p[i] + 1;
}

// Chosen before the loop, beside the same objects by their names.
void kernel_beside(int n, int c, const int *restrict a, const int *restrict b, int *restrict out)
{
    const int *p = c ? a : b;
    for (int i = 0; i < n; i++) // loop: parallel
        out[i] = p[i] + 2 * a[i] - b[i];
}

// Two buffers that change roles.
void kernel_roles(int n, int c, int *restrict a, int *restrict b)
{
    for (int i = 0; i < n; i++) { // loop: parallel
        int *to = c ? a : b;
        int *from = c ? b : a;
        to[i] = from[n - 1 - i] + 1;
    }
}

// Two conditions: the roles may be the same.
void kernel_unsure(int n, int c, int d, int *restrict a, int *restrict b)
{
    for (int i = 1; i < n; i++) { // loop: unknown, pair(+3 to[i], +3 from[i - 1]), because both may lead to one object
        int *to = c ? a : b;
        int *from = d ? b : a;
        to[i] = from[i - 1] + 1;
    }
}

// Either half of one object.
void kernel_halves(int n, int c, int *restrict a, const int *restrict in)
{
    for (int i = 0; i < n; i++) { // loop: parallel
        int *p = c ? a : a + n;
        p[i] = in[i] + 7;
    }
}

// The element before is another one only where the object is another one.
void kernel_neighbours(int n, int *restrict a, int *restrict b)
{
    for (int i = 1; i < n; i++) { // loop: sequential, pair(+2 p[i], +2 b[i - 1]), because the second half reads what it wrote
        int *p = i < n / 2 ? a : b;
        p[i] += b[i - 1];
    }
}

// Three objects, chosen by data.
void kernel_data(int n, const int *restrict key, const int *restrict a, const int *restrict b, const int *restrict c,
                 int *restrict out)
{
    for (int i = 0; i < n; i++) { // loop: parallel
        const int *p = key[i] > 2 ? a : key[i] > 0 ? b : c;
        out[i] = p[i] * 2;
    }
}

static const int *pick(int i, const int *a, const int *b)
{
    if (i < 40)
        return a;
    return b;
}

// What a function returns.
void kernel_picked(int n, const int *restrict a, const int *restrict b, int *restrict out)
{
    for (int i = 0; i < n; i++) { // loop: parallel
        const int *p = pick(i, a, b);
        out[i] = p[i] - 9;
    }
}

// Nothing is read through the null pointer.
void kernel_none(int n, int c, const int *restrict a, int *restrict out)
{
    for (int i = 0; i < n; i++) { // loop: parallel
        const int *p = i < c ? a : NULL;
        if (p)
            out[i] = p[i];
    }
}

static void show(const char *what, const int *v, int n)
{
    long sum = 0;
    for (int i = 0; i < n; i++) // loop: parallel, reduction(+:sum)
        sum += (long)v[i] * 4096 * (2 * i + 1);
    printf("%s %ld %d %d %d\n", what, sum, v[0], v[n / 2], v[n - 1]);
}

static int *filled(int n, int first)
{
    int *v = malloc((size_t)n * sizeof *v);
    if (!v)
        exit(1);
    for (int i = 0; i < n; i++) // loop: parallel
        v[i] = (first + 5 * i) % 31 - 9;
    return v;
}

int main(void)
{
    int *a = filled(N, 3), *b = filled(N, 8), *c = filled(N, 1), *key = filled(N, 6);
    int *out = filled(N, 0), *twice = filled(2 * N, 2);

    kernel_parts(N, M, a, b, out);
    show("parts", out, N);
    kernel_parts(N, 0, a, b, out);
    show("only the second", out, N);
    kernel_parts(N, N, a, b, out);
    show("only the first", out, N);
    kernel_parts(N, M, twice + 5, twice, out);
    show("parts of one", out, N);
    kernel_turns(N, a);
    show("odd", low, N);
    show("even", high, N);
    kernel_before(N, 1, a, b, out);
    show("before", out, N);
    kernel_before(N, 0, a, b, out);
    show("before, other", out, N);
    kernel_beside(N, 0, a, b, out);
    show("beside", out, N);
    kernel_roles(N, 0, a, b);
    kernel_roles(N, 1, a, b);
    show("roles a", a, N);
    show("roles b", b, N);
    kernel_unsure(N, 1, 0, a, b);
    kernel_unsure(N, 0, 1, a, b);
    kernel_unsure(N, 0, 0, a, b);
    show("unsure a", a, N);
    show("unsure b", b, N);
    kernel_halves(N, 0, twice, a);
    kernel_halves(N, 1, twice, b);
    show("halves", twice, 2 * N);
    kernel_neighbours(N, a, b);
    show("neighbours a", a, N);
    show("neighbours b", b, N);
    kernel_data(N, key, a, b, c, out);
    show("data", out, N);
    kernel_picked(N, a, b, out);
    show("picked", out, N);
    kernel_picked(N, twice + 5, twice, out);
    show("picked of one", out, N);
    kernel_none(N, M, a, out);
    kernel_none(N, 0, NULL, out);
    show("none", out, N);
    free(a);
    free(b);
    free(c);
    free(key);
    free(out);
    free(twice);
    return 0;
}

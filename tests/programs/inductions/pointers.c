// pointers: pointers that walk, each of which an iteration can compute from its number.
// sizes: -DN=67 -DM=9
// not: reversed
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 101
#endif
#ifndef M
#define M 7
#endif

struct pair {
    double left, right;
};

static double table[2 * N];

static void show(const char *name, const double *v, int n)
{
    uint64_t sum = 0;
    for (int i = 0; i < n; i++) // loop: parallel, reduction(+:sum)
        sum += (uint64_t)(int64_t)(v[i] * 4096) * (uint64_t)(2 * i + 1);
    printf("%s: %016llx first %g middle %g last %g\n", name, (unsigned long long)sum, v[0], v[n / 2], v[n - 1]);
}

static void fill(double *v, int n, int step)
{
    for (int i = 0; i < n; i++) // loop: parallel
        v[i] = (i * step + i / 16) % 11 - 5;
}

// The parameters themselves walk.
void kernel_copy(int n, double *restrict to, const double *restrict from)
{
    for (int i = 0; i < n; i++) // loop: parallel // induction: to and from move by one
        *to++ = 2 * *from++ + i;
}

// From behind the end.
void kernel_back(int n, double *restrict a)
{
    double *p = a + n;
    for (int i = 0; i < n; i++) // loop: parallel // induction: p is a + n - i
        *--p = i;
}

// Where it has come to is used, also where the loop does not run.
ptrdiff_t kernel_come(int lo, int hi, double *restrict a)
{
    double *p = a;
    for (int i = lo; i < hi; i++) { // loop: parallel // induction: p is a + 2 * (i - lo)
        p[0] = i;
        p[1] = -i;
        p += 2;
    }
    return p - a;
}

// In rows, and backwards.
void kernel_rows(int n, int m, double *restrict a)
{
    double *row = a;
    for (int i = n; i > 0; i--) { // loop: parallel // induction: row is a + (n - i) * m
        for (int j = 0; j < m; j++) // loop: parallel
            row[j] = i - j;
        row += m;
    }
}

double kernel_sum(int n, const double *a)
{
    double sum = 0;
    for (int i = 0; i < n; i++) { // loop: parallel, reduction(+:sum) // induction: a moves by three
        sum += *a * (i + 1);
        a += 3;
    }
    return sum;
}

void kernel_pairs(int n, struct pair *restrict p)
{
    for (int i = 0; i < n; i++) { // loop: parallel // induction: p moves by one
        p->left = i;
        p->right = p->left - 3;
        p++;
    }
}

// Two loops, each from where it begins, and one through an object of the file.
void kernel_both(int n, double *restrict a)
{
    double *p = a, *q = table + 1;
    for (int i = 0; i < n; i++) // loop: parallel // induction: p is a + i
        *p++ = i % 5;
    for (int i = 0; i < n; i++) // loop: parallel // induction: q is table + 1 + i
        *q++ = i % 7;
    p = a;
    for (int i = 0; i < n; i++) { // loop: parallel // induction: p is a + i
        *p = *p * 2 + 1;
        p++;
    }
}

// One storage by two names: no clause can say where both lead.
void kernel_two_names(int n, double *restrict a)
{
    double *p = a;
    for (int i = 0; i < n; i++) // loop: parallel // induction: p is a + i
        *p++ = a[i] + 1;
}

int main(void)
{
    const int most = 4 * N + 8;
    double *a = malloc((size_t)most * sizeof *a), *b = malloc((size_t)most * sizeof *b);
    if (!a || !b)
        return 1;
    fill(a, most, 3);
    fill(b, most, 5);
    fill(table, 2 * N, 7);
    kernel_copy(N, a, b);
    kernel_copy(-N, a, b);
    show("copy", a, most);
    kernel_back(N, a + 3);
    kernel_back(0, a + 3);
    show("back", a, most);
    printf("come %d", (int)kernel_come(-5, N - 5, a));
    printf(" %d\n", (int)kernel_come(N, -N, a));
    show("come", a, most);
    kernel_rows(N / M, M, a);
    kernel_rows(N, -M, a);
    kernel_rows(3, 0, a);
    show("rows", a, most);
    printf("sum %g %g\n", kernel_sum(N, a), kernel_sum(-1, a));
    kernel_pairs(N, (struct pair *)b);
    show("pairs", b, most);
    kernel_both(N, a);
    show("both", a, most);
    show("both", table, 2 * N);
    kernel_two_names(N, a);
    show("two names", a, most);
    free(a);
    free(b);
    return 0;
}

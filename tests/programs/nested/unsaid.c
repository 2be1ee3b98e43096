// unsaid: data behind pointers in memory that no clause reaches with every compiler; the loops run, wherever that is.
// sizes: -DN=101
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 37
#endif

struct row {
    double *data;
    int size;
};

struct table {
    double *rows[3];
    struct row inner;
    struct row *outer;
    int size;
};

union either {
    double *data;
    uintptr_t address;
};

struct row *global;

static void fill(double *v, int n, int step)
{
    for (int i = 0; i < n; i++) // loop: parallel
        v[i] = (double)((i * step + i / 16) % 11 - 5);
}

static void show(const char *name, const double *v, int n)
{
    uint64_t sum = 0;
    for (int i = 0; i < n; i++) // loop: parallel, reduction(+:sum)
        sum += (uint64_t)(int64_t)(v[i] * 4096.0) * (uint64_t)(2 * i + 1);
    printf("%s: %016llx first %g middle %g last %g\n", name, (unsigned long long)sum, v[0], v[n / 2], v[n - 1]);
}

/* The pointer that memory holds is the one that the loop also names: the device would follow the host's address. */
void kernel_stored(struct row *r, double *q, int n)
{
    r->data = q;
    for (int i = 0; i < n; i++) // loop: parallel_if
        r->data[i] = q[i] + 1;
}

/* The same where only the member is named. */
void kernel_stored_only(struct row *r, double *q, int n)
{
    r->data = q + 1;
    for (int i = 0; i < n - 1; i++) // loop: parallel_if
        r->data[i] += r->size;
}

/* Another name from before. */
void kernel_both(struct row *r, int n)
{
    double *data = r->data;

    for (int i = 1; i < n; i++) // loop: parallel_if
        data[i] = r->data[i] * 2;
}

void kernel_rows(double **rows, int n, int m)
{
    for (int i = 0; i < n; i++) // loop: parallel_if
        for (int j = 0; j < m; j++) // loop: parallel_if
            rows[i][j] += i;
}

void kernel_one_row(double **rows, int k, int m)
{
    for (int j = 0; j < m; j++) // loop: parallel_if
        rows[k][j] += k;
}

void kernel_array(struct row *r, int k, int m)
{
    for (int j = 0; j < m; j++) // loop: parallel_if
        r[k].data[j] += r[k].size;
}

void kernel_next(struct row *r, int m)
{
    for (int j = 0; j < m; j++) // loop: parallel_if
        r[1].data[j] += r[0].data[j];
}

void kernel_global(int m)
{
    for (int j = 0; j < m; j++) // loop: parallel_if
        global->data[j] += global->size;
}

void kernel_levels(struct table *t, int m)
{
    for (int j = 0; j < m; j++) // loop: parallel_if
        t->outer->data[j] += t->size;
    for (int j = 0; j < m; j++) // loop: parallel_if
        t->inner.data[j] += t->size;
    for (int j = 0; j < m; j++) // loop: parallel_if
        t->rows[2][j] += t->size;
}

void kernel_union(union either *u, int m)
{
    for (int j = 0; j < m; j++) // loop: parallel_if
        u->data[j] += 4;
}

/* Addresses as values: on the device they are others. */
void kernel_compare(struct row *r, const double *p, int *restrict flags, int n)
{
    for (int i = 0; i < n; i++) { // loop: parallel_if
        r->data[i] += 1;
        flags[i] = r->data + i == p;
    }
}

/* The pointer is another one in each iteration. */
void kernel_swap(struct row *r, double *p, double *q, int n)
{
    for (int i = 0; i < n; i++) { // loop: sequential, pair(+2 r->data, +1 r->data), because r->data is set by the iteration before
        r->data[i] += 1;
        r->data = i % 2 ? p : q;
    }
}

int main(void)
{
    double *v[3];
    int flags[N];
    struct row r[2];
    struct table t;
    union either u;

    for (int k = 0; k < 3; k++) { // loop: sequential, because memory is allocated
        v[k] = malloc(N * sizeof **v);
        fill(v[k], N, 2 * k + 3);
    }
    r[0].data = v[2];
    r[0].size = 5;
    r[1].data = v[1];
    r[1].size = 3;
    kernel_stored(r, v[0], N);
    kernel_stored_only(r, v[1], N);
    show("v[0]", v[0], N);
    kernel_both(r, N - 1);
    show("v[1]", v[1], N);
    kernel_rows(v, 3, N);
    kernel_one_row(v, 2, N);
    r[0].data = v[2];
    r[1].data = v[1];
    kernel_array(r, 1, N);
    kernel_next(r, N);
    show("v[1]", v[1], N);
    global = r;
    kernel_global(N);
    show("v[2]", v[2], N);
    t.outer = r;
    t.inner = r[1];
    t.rows[2] = v[0];
    t.size = 4;
    kernel_levels(&t, N);
    u.data = v[0];
    kernel_union(&u, N);
    show("v[0]", v[0], N);
    kernel_compare(r, v[2] + 3, flags, N);
    printf("flags %d %d %d\n", flags[2], flags[3], flags[N - 1]);
    kernel_swap(r, v[0], v[1], N);
    for (int k = 0; k < 3; k++) { // loop: sequential, because it prints
        show("v", v[k], N);
        free(v[k]);
    }
    return 0;
}

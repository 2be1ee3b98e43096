// Shows: regions map what each thread of the host has a copy of: private, copied in, of a task, and in a called function.
// One thread each: the second memory hides what the host has while a kernel runs.
#include <stdio.h>

struct table {
    int place;
    double values[4];
};

static void add_one(int n, double *x)
{
    #pragma omp target teams distribute parallel for map(tofrom: x[0:n])
    for (int i = 0; i < n; i++)
        x[i] += 1;
}

int main(void)
{
    int a[10], b[10], x;
    double r[8], in_turn[20], sum = 0;
    struct table table = {4, {1, 2, 3, 4}};

    #pragma omp parallel for private(x) num_threads(1)
    for (int i = 0; i < 10; i++) {
        x = i;
        #pragma omp target map(tofrom: x)
        x++;
        a[i] = x;
    }

    x = 3;
    #pragma omp parallel for firstprivate(x) num_threads(1)
    for (int i = 0; i < 10; i++) {
        int y = 0;
        #pragma omp target data map(to: x)
        #pragma omp target map(from: y)
        y = x + i;
        b[i] = y;
    }

    #pragma omp parallel for firstprivate(table) num_threads(1)
    for (int i = 0; i < 8; i++) {
        table.place = i % 4;
        #pragma omp target map(to: table) map(from: r[i:1])
        r[i] = table.values[table.place];
    }

    #pragma omp parallel for private(in_turn) num_threads(1)
    for (int i = 0; i < 8; i++) {
        for (int k = 0; k < 20; k++)
            in_turn[k] = k;
        add_one(20, in_turn);
        r[i] += in_turn[i];
    }

    for (int i = 0; i < 8; i++)
        sum += r[i];
    printf("%d %d %g\n", a[4], b[5], sum);
    return 0;
}

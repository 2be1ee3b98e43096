// Tasks of which nothing ends that they share: copies, what they free themselves, and what is waited for by whoever called.
#include <stdio.h>
#include <stdlib.h>

struct item {
    double weight;
    int times;
};

static double total;

static void copies(int n)
{
    double parts[3] = {n, n + 1, n + 2};
    struct item one = {.weight = n, .times = 2};
    #pragma omp task
    {
        double sum = parts[0] + parts[2] + one.weight * one.times;
        #pragma omp atomic
        total += sum;
    }
    parts[0] = 0;
    one.times = 0;
}

static void frees(int n)
{
    double *work = malloc(8 * sizeof *work);
    if (!work)
        abort();
    work[0] = n;
    #pragma omp task
    {
        double sum = work[0];
        free(work);
        #pragma omp atomic
        total += sum;
    }
}

static void into(double *place, int n)
{
    #pragma omp task
    *place = n * 2.0;
}

static double waits(int n)
{
    double left = 0, right = 0;
    into(&left, n);
    into(&right, n + 1);
    #pragma omp taskwait
    return left + right;
}

static double grouped(int n)
{
    double left = 0, right = 0;
    #pragma omp taskgroup
    {
        into(&left, n);
        #pragma omp task shared(right)
        into(&right, n + 1);
    }
    return left + right;
}

static double at_once(int n)
{
    double found = 0;
    #pragma omp task shared(found) if(0)
    found = n;
    return found;
}

int main(void)
{
    double sums[3] = {0};
    #pragma omp parallel num_threads(3)
    #pragma omp single
    {
        copies(4);
        frees(5);
        sums[0] = waits(6);
        sums[1] = grouped(7);
        sums[2] = at_once(8);
    }
    printf("%.1f %.1f %.1f %.1f\n", total, sums[0], sums[1], sums[2]);
    return 0;
}

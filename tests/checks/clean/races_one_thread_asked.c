// A program that has asked for one thread needs no barriers, also in a function that is called later.
// judge: no race
#include <stdio.h>
#ifdef _OPENMP
#include <omp.h>
#else
static void omp_set_num_threads(int n) { (void)n; }
#endif

static int sum;

static void set_up(int serial)
{
    if (serial)
        omp_set_num_threads(1);
    else
        omp_set_num_threads(1 + serial);
}

static void add(const int *a, int n)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        sum = sum + a[i];
}

int main(void)
{
    int a[100], b[100];
    set_up(1);
    #pragma omp parallel
    {
        #pragma omp for nowait
        for (int i = 0; i < 100; i++)
            a[i] = i;
        #pragma omp for
        for (int i = 0; i < 100; i++)
            b[i] = a[99 - i];
    }
    add(b, 100);
    printf("%d %d\n", b[0], sum);
    return 0;
}

// Shows: what iterations set and read again where data let them, or before they call a function, is theirs.
// judge: no race
#include <stdio.h>

static int order[2000], done[2000];
static double x[2000], y[2000];
static int calls;

static void report(int i)
{
    if (calls < 0)
        printf("%d\n", i);
}

static void (*tell)(int) = report;

static void some(int n, int all)
{
    double sum;
    int k;
    #pragma omp parallel for private(k, sum)
    for (int i = 0; i < n; i++) {
        if ((all || order[i] > 2) && done[i] == 0) {
            sum = x[i];
            for (k = 0; k < 40; k++)
                sum += x[(i + k) % n];
            y[i] = sum;
        }
    }
}

static void each(int n)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        double twice = 2 * x[i];
        if (twice > 1e6)
            y[i] = twice;
        tell(i);
    }
}

int main(void)
{
    for (int i = 0; i < 2000; i++) {
        x[i] = i % 11;
        order[i] = i % 4;
    }
    some(2000, 0);
    each(2000);
    printf("%d\n", y[3] >= 0);
    return 0;
}

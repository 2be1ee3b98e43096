// A function waits for the task that counts in its own array before it returns.
// judge: no race
#include <stdio.h>

struct counters {
    long values[4];
};

static long add(int n)
{
    long sum = 0;
    for (int i = 0; i < n; i++)
        sum += i % 7;
    return sum;
}

static long both(int n)
{
    struct counters own = {{0}};
    #pragma omp task shared(own)
    own.values[1] = add(n);
    own.values[0] = n;
    #pragma omp taskwait
    return own.values[0];
}

static long other(int n)
{
    struct counters own = {{n, n}};
    for (int i = 0; i < 4; i++)
        own.values[i] += add(100);
    return own.values[0] + own.values[1];
}

int main(void)
{
    long sum = 0;
    #pragma omp parallel num_threads(4)
    #pragma omp single
    for (int k = 0; k < 100; k++) {
        sum += both(k);
        sum += other(k);
    }
    printf("%d\n", sum > 0);
    return 0;
}

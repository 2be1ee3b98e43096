// The function waits for what has the address of its variable.
// judge: no race
#include <stdio.h>

struct range {
    int low, high, length;
};

static int work(int n)
{
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum += i % 3;
    return sum;
}

static void measure(struct range *r)
{
    #pragma omp task
    r->length = work(40);
}

static int begin(int place)
{
    struct range r;
    r.low = place;
    r.high = place + 50;
    r.length = 0;
    measure(&r);
    int found = work(place) + r.high - r.low;
    #pragma omp taskwait
    return found;
}

int main(void)
{
    int sum = 0;
    #pragma omp parallel num_threads(4)
    #pragma omp single
    for (int k = 0; k < 200; k++)
        sum += begin(k);
    printf("%d\n", sum > 0);
    return 0;
}

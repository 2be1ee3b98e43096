// What a task gets is the address of a variable that ends with the function that made it.
// judge: race
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
    return work(place) + r.high - r.low; // finds: task-outlives-storage r->length
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

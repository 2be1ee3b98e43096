// Shows: the inner reference is released, so that the from that follows is the last one and copies.
#include <stdio.h>

enum { COUNT = 60 };
static int queue[COUNT];

static void fill(void)
{
    #pragma omp target enter data map(to: queue)
    #pragma omp target teams distribute parallel for
    for (int i = 0; i < COUNT; i++)
        queue[i] = 100 - i;
    #pragma omp target exit data map(release: queue)
}

int main(void)
{
    #pragma omp target enter data map(to: queue)
    fill();
    #pragma omp target exit data map(from: queue)
    for (int i = 0; i < COUNT; i++)
        printf("%d\n", queue[i]);
    return 0;
}

// Shows: delete ends both references to the data at once, without a copy: the from that follows finds nothing.
#include <stdio.h>

enum { COUNT = 60 };
static int queue[COUNT];

static void fill(void)
{
    #pragma omp target enter data map(to: queue)
    #pragma omp target teams distribute parallel for
    for (int i = 0; i < COUNT; i++)
        queue[i] = 100 - i;
    #pragma omp target exit data map(delete: queue)
}

int main(void)
{
    #pragma omp target enter data map(to: queue)
    fill();
    #pragma omp target exit data map(from: queue) // finds: exit-without-enter queue
    for (int i = 0; i < COUNT; i++)
        printf("%d\n", queue[i]); // finds: never-copied-back queue
    return 0;
}

// Two critical regions of different names work on one variable.
// judge: race
#include <stdio.h>

int main(void)
{
    int count = 0;
    #pragma omp target teams distribute parallel for map(tofrom: count)
    for (int i = 0; i < 20000; i++) {
        #pragma omp critical(up)
        count += 2;
        #pragma omp critical(down)
        count -= 1; // finds: different-locks count
    }
    printf("%d\n", count);
    return 0;
}

// Both critical regions have one name.
// judge: no race
#include <stdio.h>

int main(void)
{
    int count = 0;
    #pragma omp parallel for
    for (int i = 0; i < 20000; i++) {
        #pragma omp critical(up)
        count += 2;
        #pragma omp critical(up)
        count -= 1;
    }
    printf("%d\n", count);
    return 0;
}

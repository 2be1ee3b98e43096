// A critical region inside of another one, whose name the third has, too.
// judge: no race
#include <stdio.h>

int main(void)
{
    int sum = 0;
    #pragma omp parallel for
    for (int i = 0; i < 300; i++) {
        #pragma omp critical(outside)
        {
            #pragma omp critical(inside)
            sum += 2;
        }
        #pragma omp critical(inside)
        sum -= 1;
    }
    printf("%d\n", sum);
    return 0;
}

// Shows: each iteration sets one value and reads the variable before: whether it was set already goes by the order of the threads.
// judge: race
#include <stdio.h>

int main(void)
{
    int first[300], begun = 0;
    #pragma omp parallel for // finds: directive-contradicts-dependence begun
    for (int i = 0; i < 300; i++) {
        first[i] = !begun;
        begun = 1;
    }
    printf("%d %d\n", first[0], begun);
    return 0;
}

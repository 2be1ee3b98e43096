// Shows: all iterations set a shared variable to the same value. It is a race by the letter of C, and a warning.
// judge: race
#include <stdio.h>

int main(void)
{
    int a[400], done = 0, mark = 3;
    #pragma omp parallel for // finds: directive-contradicts-dependence done
    for (int i = 0; i < 400; i++) {
        a[i] = i;
        done = mark;
    }
    printf("%d %d %d\n", a[399], done, mark);
    return 0;
}

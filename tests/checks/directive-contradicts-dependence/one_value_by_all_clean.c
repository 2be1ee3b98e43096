// Shows: the store is atomic.
// judge: no race
#include <stdio.h>

int main(void)
{
    int a[400], done = 0, mark = 3;
    #pragma omp parallel for
    for (int i = 0; i < 400; i++) {
        a[i] = i;
        #pragma omp atomic write
        done = mark;
    }
    printf("%d %d %d\n", a[399], done, mark);
    return 0;
}

// One construct names an array twice: what is copied is mapped first, wherever `alloc` stands.
// compiler: clang
#include <stdio.h>

int main(void)
{
    int v[100], sum = 0, last = 0;
    for (int i = 0; i < 100; i++)
        v[i] = i;
    #pragma omp target map(alloc: v) map(to: v) map(tofrom: sum)
    for (int i = 0; i < 100; i++)
        sum += v[i];
    #pragma omp target map(alloc: last) map(from: last)
    last = 7;
    printf("%d %d\n", sum, last);
    return 0;
}

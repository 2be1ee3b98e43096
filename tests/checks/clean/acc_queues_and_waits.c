// Shows: one queue keeps its order, and is waited for before the host reads.
#include <stdio.h>
#define N 50
static double a[N], b[N];
int main(void)
{
    for (int i = 0; i < N; i++) { a[i] = i; b[i] = 0; }
    #pragma acc enter data copyin(a, b) async(1)
    #pragma acc parallel loop present(a) async(1)
    for (int i = 0; i < N; i++) a[i] += 1;
    #pragma acc parallel loop present(a, b) async(1)
    for (int i = 0; i < N; i++) b[i] = a[i];
    #pragma acc update self(b) async(1)
    #pragma acc wait(1)
    printf("%g\n", b[N-1]);
    #pragma acc exit data copyout(a) delete(b) async(2)
    #pragma acc wait
    printf("%g\n", a[0]);
    return 0;
}

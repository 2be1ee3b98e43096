// Shows: OpenACC: data region with create, copyin, copyout, and an update of the host in between.
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    int n = 90, *a = malloc(n * sizeof *a), *t = malloc(n * sizeof *t), *b = malloc(n * sizeof *b);
    for (int i = 0; i < n; i++)
        a[i] = i % 14;
    #pragma acc data copyin(a[0:n]) create(t[0:n]) copyout(b[0:n])
    {
        #pragma acc parallel loop present(a[0:n], t[0:n])
        for (int i = 0; i < n; i++)
            t[i] = a[i] * a[i];
        #pragma acc update host(t[0:4])
        printf("%d\n", t[3]);
        #pragma acc parallel loop present(b[0:n], t[0:n])
        for (int i = 0; i < n; i++)
            b[i] = t[i] + 1;
    }
    for (int i = 0; i < n; i++)
        printf("%d\n", b[i]);
    free(a);
    free(t);
    free(b);
    return 0;
}

// Shows: OpenACC: present is asked for inside of the data construct that has put x there.
#include <stdio.h>
#include <stdlib.h>

static void add_one(int n, int *x)
{
    #pragma acc parallel loop present(x[0:n])
    for (int i = 0; i < n; i++)
        x[i] += 1;
}

int main(void)
{
    int n = 61, *x = malloc(n * sizeof *x);
    for (int i = 0; i < n; i++)
        x[i] = i;
    #pragma acc data copy(x[0:n])
    add_one(n, x);
    for (int i = 0; i < n; i++)
        printf("%d\n", x[i]);
    free(x);
    return 0;
}

// Shows: OpenACC: present is asked for, but no data construct has put x there.
#include <stdio.h>
#include <stdlib.h>

static void add_one(int n, int *x)
{
    #pragma acc parallel loop present(x[0:n]) // finds: present-missing x
    for (int i = 0; i < n; i++)
        x[i] += 1;
}

int main(void)
{
    int n = 61, *x = malloc(n * sizeof *x);
    for (int i = 0; i < n; i++)
        x[i] = i;
    add_one(n, x);
    for (int i = 0; i < n; i++)
        printf("%d\n", x[i]);
    free(x);
    return 0;
}

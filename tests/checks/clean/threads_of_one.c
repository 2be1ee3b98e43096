// No run of the program has more than one thread in these regions: their `if` clauses do not hold.
#include <stdio.h>

static int sum_of(int several)
{
    int sum = 0;
    #pragma omp parallel if (several)
    {
        sum = sum + 1;
    }
    return sum;
}

int main(void)
{
    int sum = 0, control = 0;
    #pragma omp parallel for if (control == 1)
    for (int i = 0; i < 100; i++)
        sum = sum + i;
    printf("%d %d %d\n", sum, control, sum_of(0));
    return 0;
}

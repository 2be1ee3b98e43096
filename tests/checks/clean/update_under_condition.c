// Shows: the host reads the field only in those steps in which it was updated.
#include <stdio.h>

#define CELLS 40

static int field[CELLS];

static void report(const int *f, int step)
{
    int sum = 0;
    for (int i = 0; i < CELLS; i++)
        sum += f[i];
    printf("%d: %d\n", step, sum);
}

int main(void)
{
    #pragma omp target enter data map(to: field)
    for (int step = 0; step < 12; step++) {
        int output = step % 4 == 3;
        #pragma omp target teams distribute parallel for
        for (int i = 0; i < CELLS; i++)
            field[i] += i * step;
        #pragma omp target update from(field) if(output)
        if (output)
            report(field, step);
    }
    #pragma omp target exit data map(delete: field)
    return 0;
}

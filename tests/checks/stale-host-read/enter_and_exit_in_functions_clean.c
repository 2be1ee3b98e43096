// Shows: the environment opens and closes in functions; the result is read after both.
#include <stdio.h>
#include <stdlib.h>

static int *field;
static int length;

static void begin(void)
{
    #pragma omp target enter data map(to: field[0:length])
}

static void end(void)
{
    #pragma omp target exit data map(from: field[0:length])
}

static void work(void)
{
    #pragma omp target teams distribute parallel for
    for (int i = 0; i < length; i++)
        field[i] = field[i] * 2 + 1;
}

static int total(void)
{
    int sum = 0;
    for (int i = 0; i < length; i++)
        sum += field[i];
    return sum;
}

int main(void)
{
    int sum;
    length = 210;
    field = malloc(length * sizeof *field);
    for (int i = 0; i < length; i++)
        field[i] = i % 9;
    begin();
    work();
    end();
    sum = total();
    printf("%d\n", sum);
    free(field);
    return 0;
}

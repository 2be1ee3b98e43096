// Shows: one function puts a structure on the device, another one its elements through the structure.
#include <stdio.h>
#include <stdlib.h>

struct field {
    int length;
    double *value;
};

static void put(struct field *f)
{
    #pragma omp target enter data map(to: f[0:1])
}

static void put_values(struct field *f)
{
    #pragma omp target enter data map(to: f->value[0:f->length])
}

static double sum_of(const struct field *f)
{
    double sum = 0;
    int n = f->length;
    #pragma omp target teams distribute parallel for map(tofrom: sum) reduction(+: sum)
    for (int i = 0; i < n; i++)
        sum += f->value[i];
    return sum;
}

int main(void)
{
    struct field f = {64, malloc(64 * sizeof(double))};
    for (int i = 0; i < f.length; i++)
        f.value[i] = 2 * i;
    put(&f);
    put_values(&f);
    printf("%g\n", sum_of(&f));
    #pragma omp target exit data map(delete: f.value[0:f.length])
    #pragma omp target exit data map(delete: f)
    free(f.value);
    return 0;
}

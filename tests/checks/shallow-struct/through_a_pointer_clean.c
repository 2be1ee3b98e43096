// Shows: the structure behind the pointer is mapped by enter data, and its member's section is attached.
#include <stdio.h>
#include <stdlib.h>

struct field {
    int length;
    double *value;
};

static struct field *create(int n)
{
    struct field *f = malloc(sizeof *f);
    f->length = n;
    f->value = malloc(n * sizeof *f->value);
    for (int i = 0; i < n; i++)
        f->value[i] = i;
    return f;
}

static void halve(struct field *f)
{
    int n = f->length;
    #pragma omp target teams distribute parallel for
    for (int i = 0; i < n; i++)
        f->value[i] = f->value[i] / 2;
}

int main(void)
{
    struct field *f = create(128);
    #pragma omp target enter data map(to: f[0:1])
    #pragma omp target enter data map(to: f->value[0:f->length])
    halve(f);
    #pragma omp target exit data map(from: f->value[0:f->length])
    #pragma omp target exit data map(release: f[0:1])
    for (int i = 0; i < f->length; i++)
        printf("%g\n", f->value[i]);
    free(f->value);
    free(f);
    return 0;
}

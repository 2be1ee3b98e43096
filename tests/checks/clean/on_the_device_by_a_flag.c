// Shows: data are brought to the device and back when they are needed, by a flag in their structure.
#include <stdio.h>
#include <stdlib.h>
struct vec { int n; double *d; int on_device; };
static void to_device(struct vec *v)
{
    if (v->on_device) return;
    double *d = v->d;
    (void)d;
    #pragma omp target enter data map(to: d[0:v->n])
    v->on_device = 1;
}
static void to_host(struct vec *v)
{
    if (!v->on_device) return;
    double *d = v->d;
    (void)d;
    #pragma omp target exit data map(from: d[0:v->n])
    v->on_device = 0;
}
static void scale(struct vec *v, double f)
{
    to_device(v);
    double *d = v->d; int n = v->n;
    #pragma omp target teams distribute parallel for map(tofrom: d[0:n])
    for (int i = 0; i < n; i++) d[i] *= f;
}
static double sum(struct vec *v)
{
    to_host(v);
    double s = 0;
    for (int i = 0; i < v->n; i++) s += v->d[i];
    return s;
}
int main(void)
{
    struct vec v = { 30, malloc(30 * sizeof(double)), 0 };
    for (int i = 0; i < 30; i++) v.d[i] = i;
    scale(&v, 2); scale(&v, 3);
    printf("%g\n", sum(&v));
    scale(&v, 0.5);
    printf("%g\n", sum(&v));
    free(v.d);
    return 0;
}

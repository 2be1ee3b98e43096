// Shows: functions that begin, go on and finish, with unstructured data and errors that are returned.
#include <stdio.h>
#include <stdlib.h>
struct sim { int n; double *u; double *f; };
static int sim_init(struct sim *s, int n)
{
    s->n = n;
    s->u = malloc(n * sizeof *s->u);
    if (!s->u) return -1;
    s->f = malloc(n * sizeof *s->f);
    if (!s->f) { free(s->u); return -2; }
    for (int i = 0; i < n; i++) { s->u[i] = i; s->f[i] = 0; }
    double *u = s->u, *f = s->f;
    (void)u, (void)f;
    #pragma omp target enter data map(to: u[0:n], f[0:n])
    return 0;
}
static void sim_step(struct sim *s)
{
    double *u = s->u, *f = s->f;
    int n = s->n;
    (void)u, (void)f;
    #pragma omp target teams distribute parallel for
    for (int i = 1; i < n - 1; i++) f[i] = u[i-1] - 2*u[i] + u[i+1];
    #pragma omp target teams distribute parallel for
    for (int i = 1; i < n - 1; i++) u[i] += f[i];
}
static void sim_free(struct sim *s)
{
    double *u = s->u, *f = s->f;
    int n = s->n;
    (void)u, (void)f;
    #pragma omp target exit data map(from: u[0:n]) map(delete: f[0:n])
    double sum = 0;
    for (int i = 0; i < n; i++) sum += s->u[i];
    printf("%g\n", sum);
    free(s->u); free(s->f);
}
int main(int argc, char **argv)
{
    struct sim s;
    int n = argc > 1 ? atoi(argv[1]) : 100;
    int err = sim_init(&s, n);
    if (err) { fprintf(stderr, "no memory %d\n", err); return 1; }
    for (int t = 0; t < 4; t++) sim_step(&s);
    sim_free(&s);
    return 0;
}

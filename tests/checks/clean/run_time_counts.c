// Shows: calls of the run time count like directives: what is put there twice stays until it is taken off twice, or for good.
#include <stdio.h>
#include <stdlib.h>
#ifdef _OPENACC
#include <openacc.h>
#else
// Without OpenACC there is one memory.
static void acc_copyin(void *data, size_t bytes) { (void)data, (void)bytes; }
static void acc_present_or_copyin(void *data, size_t bytes) { (void)data, (void)bytes; }
static void acc_copyout(void *data, size_t bytes) { (void)data, (void)bytes; }
static void acc_copyout_finalize(void *data, size_t bytes) { (void)data, (void)bytes; }
static void acc_delete(void *data, size_t bytes) { (void)data, (void)bytes; }
static void acc_update_self(void *data, size_t bytes) { (void)data, (void)bytes; }
#endif

static void add(int n, int *a, int by)
{
    #pragma acc parallel loop present(a[0:n])
    for (int i = 0; i < n; i++)
        a[i] += by;
}

int main(void)
{
    int n = 70, *a = malloc(n * sizeof *a), *b = malloc(n * sizeof *b);
    for (int i = 0; i < n; i++)
        a[i] = b[i] = i;
    acc_copyin(a, n * sizeof *a);
    acc_present_or_copyin(a, n * sizeof *a);
    add(n, a, 1);
    acc_delete(a, n * sizeof *a);
    add(n, a, 2);
    acc_update_self(a, n * sizeof *a);
    printf("%d\n", a[69]);
    add(n, a, 3);
    acc_copyout(a, n * sizeof *a);
    acc_copyin(b, n * sizeof *b);
    acc_copyin(b, n * sizeof *b);
    add(n, b, 1);
    acc_copyout_finalize(b, n * sizeof *b);
    printf("%d %d\n", a[69], b[69]);
    free(a);
    free(b);
    return 0;
}

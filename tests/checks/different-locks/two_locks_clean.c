// The same lock is taken both times; the other one is not used.
// judge: no race
#include <stdio.h>
#ifdef _OPENMP
#include <omp.h>
#else
typedef int omp_lock_t;
#define omp_init_lock(lock) ((void)(lock))
#define omp_destroy_lock(lock) ((void)(lock))
#define omp_set_lock(lock) ((void)(lock))
#define omp_unset_lock(lock) ((void)(lock))
#endif

static int balance;

static void transfer(int n)
{
    omp_lock_t in, out;
    omp_init_lock(&in);
    omp_init_lock(&out);
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        omp_set_lock(&in);
        balance += 3;
        omp_unset_lock(&in);
        omp_set_lock(&in);
        balance -= 2;
        omp_unset_lock(&in);
    }
    omp_destroy_lock(&in);
    omp_destroy_lock(&out);
}

int main(void)
{
    transfer(20000);
    printf("%d\n", balance);
    return 0;
}

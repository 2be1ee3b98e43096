// Shows: deposits take the lock, and what is left is taken out without it.
// judge: race
#include <stdio.h>
#ifdef _OPENMP
#include <omp.h>
#else
// Without OpenMP there is one thread.
typedef int omp_lock_t;
static void omp_init_lock(omp_lock_t *lock) { *lock = 0; }
static void omp_set_lock(omp_lock_t *lock) { *lock = 1; }
static void omp_unset_lock(omp_lock_t *lock) { *lock = 0; }
static void omp_destroy_lock(omp_lock_t *lock) { (void)lock; }
#endif

struct account {
    int balance, changes;
};

static void deposit(struct account *a, omp_lock_t *lock, int amount)
{
    omp_set_lock(lock);
    a->balance += amount;
    omp_unset_lock(lock);
}

int main(void)
{
    struct account a = {100, 0};
    omp_lock_t lock;
    omp_init_lock(&lock);
    #pragma omp parallel for
    for (int i = 0; i < 3000; i++) {
        deposit(&a, &lock, 2);
        a.balance -= 1; // finds: unprotected-update a.balance
    }
    omp_destroy_lock(&lock);
    printf("%d\n", a.balance > 0);
    return 0;
}

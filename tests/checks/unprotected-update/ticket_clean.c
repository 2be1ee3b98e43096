// Each thread takes a number that no other one has, in several ways, and works on the element of that number: nothing races.
// judge: no race
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

static int next, done[64];

static int take(int *counter)
{
    int mine;
    #pragma omp atomic capture
    mine = (*counter)++;
    return mine;
}

static void count(int *x, int place)
{
    x[place]++;
}

static void first_only(int *x)
{
    int come = 0;
    #pragma omp parallel
    {
        int mine;
        #pragma omp atomic capture
        {
            mine = come;
            come++;
        }
        if (mine == 0)
            x[0]++;
    }
}

int main(void)
{
    int counted[64] = {0}, locked[64] = {0}, called[64] = {0}, given[64] = {0}, under_lock = 0, of_call = 0;
    omp_lock_t lock;
    omp_init_lock(&lock);
    #pragma omp parallel num_threads(4)
    {
        int mine, other;
        #pragma omp atomic capture
        mine = next++;
        done[mine]++;
        #pragma omp critical
        {
            other = counted[63];
            counted[63]++;
        }
        int place = other + 1;
        counted[place]++;
        omp_set_lock(&lock);
        int third = under_lock;
        under_lock = third + 1;
        omp_unset_lock(&lock);
        locked[third] += 2;
        called[take(&of_call)] += 3;
        count(given, mine);
    }
    first_only(done);
    omp_destroy_lock(&lock);
    printf("%d %d %d %d %d\n", done[0] > 0, counted[1], locked[0], called[0], given[0]);
    return 0;
}

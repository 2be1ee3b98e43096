// A function waits for its task at its end, but not where it returns early.
// judge: race
#include <stdio.h>

static int total;

static int work(int n)
{
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum += i % 5;
    return sum;
}

static int solve(const int *a, int n)
{
    int left = 0, right = 0;
    #pragma omp task shared(left)
    left = work(n);
    if (a[n - 1] < 0)
        return -1; // finds: task-outlives-storage left
    right = work(n / 2);
    #pragma omp taskwait
    return left + right;
}

int main(void)
{
    int a[100];
    for (int i = 0; i < 100; i++)
        a[i] = i - 99;
    a[40] = -1;
    #pragma omp parallel num_threads(4)
    #pragma omp single
    for (int k = 10; k < 100; k++) {
        int found = solve(a, k);
        found += work(200);
        #pragma omp atomic
        total += found;
    }
    printf("%d\n", total != 1);
    return 0;
}

// `taskgroup` waits for the tasks of tasks, too.
// judge: no race
#include <stdio.h>

static int halves[2];

static void count(int half, int n)
{
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum += i % 3;
    halves[half] = sum;
}

static int spend(int n)
{
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum += i % 5;
    return sum;
}

int main(void)
{
    int sum = 0, spent = 0;
    #pragma omp parallel
    #pragma omp single
    {
        #pragma omp taskgroup
        {
            #pragma omp task
            {
                #pragma omp task
                count(1, 4000);
                count(0, 10);
            }
            spent = spend(200000);
        }
        sum = halves[0] + halves[1];
    }
    printf("%d\n", sum + spent >= 0);
    return 0;
}

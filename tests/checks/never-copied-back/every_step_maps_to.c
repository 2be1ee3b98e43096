// Shows: each step of the loop maps the state to the device and loses what the step has made.
#include <stdio.h>

#define CELLS 80

static int state[CELLS];

static void step(int *s, int n)
{
    #pragma omp target teams distribute parallel for map(to: s[0:n])
    for (int i = 0; i < n; i++)
        s[i] += i; // finds: never-copied-back s
}

int main(void)
{
    int sum = 0;
    for (int t = 0; t < 6; t++)
        step(state, CELLS);
    for (int i = 0; i < CELLS; i++)
        sum += state[i]; // finds: never-copied-back state
    printf("%d\n", sum);
    return 0;
}

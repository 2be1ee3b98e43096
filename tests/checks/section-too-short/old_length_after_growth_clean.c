// Shows: the caller works on as many elements as the environment was opened for.
#include <stdio.h>
#include <stdlib.h>

static void work(int n, int *v)
{
    #pragma omp target teams distribute parallel for
    for (int i = 0; i < n; i++)
        v[i] = 3 * i + 1;
}

int main(void)
{
    int used = 60, room = 90;
    int *v = calloc(room, sizeof *v);
    #pragma omp target enter data map(to: v[0:room])
    work(used, v);
    work(room, v);
    #pragma omp target exit data map(from: v[0:room])
    for (int i = 0; i < room; i++)
        printf("%d\n", v[i]);
    free(v);
    return 0;
}

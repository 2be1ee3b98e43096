// Shows: the kernel hands a pointer of the structure to a function, which follows it.
#include <stdio.h>
#include <stdlib.h>

struct table {
    int size;
    int *entry;
};

#pragma omp declare target
static int at(const int *entry, int i)
{
    return entry[i]; // finds: unattached-pointer t.entry
}
#pragma omp end declare target

int main(void)
{
    struct table t = {30, NULL};
    int *entry = malloc(t.size * sizeof *entry), sum = 0;
    t.entry = entry;
    for (int i = 0; i < t.size; i++)
        entry[i] = i * i;
    #pragma omp target data map(to: entry[0:t.size])
    {
        #pragma omp target map(to: t) map(tofrom: sum)
        for (int i = 0; i < t.size; i++)
            sum += at(t.entry, i);
    }
    printf("%d\n", sum);
    free(entry);
    return 0;
}

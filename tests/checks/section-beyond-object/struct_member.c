// Shows: the count of the structure is larger than what was allocated for its member.
// judge: same (what lies behind the block is copied, but not used)
#include <stdio.h>
#include <stdlib.h>

struct list {
    int count;
    int *item;
};

static void create(struct list *l, int n)
{
    l->count = n;
    l->item = malloc((n - 1) * sizeof *l->item);
    for (int i = 0; i < n - 1; i++)
        l->item[i] = i;
}

int main(void)
{
    struct list l;
    int sum = 0;
    create(&l, 64);
    int n = l.count, *item = l.item;
    #pragma omp target enter data map(to: item[0:n]) // finds: section-beyond-object item
    #pragma omp target teams distribute parallel for map(tofrom: sum) reduction(+: sum)
    for (int i = 0; i < n - 1; i++)
        sum += item[i];
    #pragma omp target exit data map(delete: item[0:n]) // finds: section-beyond-object item
    printf("%d\n", sum);
    free(l.item);
    return 0;
}

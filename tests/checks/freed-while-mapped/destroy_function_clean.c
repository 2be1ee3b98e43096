// Shows: destroy ends the mapping of the member before it frees it.
#include <stdio.h>
#include <stdlib.h>

struct stack {
    int room;
    int *item;
};

static void create(struct stack *s, int room)
{
    s->room = room;
    s->item = calloc(room, sizeof *s->item);
    #pragma omp target enter data map(to: s->item[0:room])
}

static void destroy(struct stack *s)
{
    #pragma omp target exit data map(delete: s->item[0:s->room])
    free(s->item);
    s->item = NULL;
}

int main(void)
{
    for (int k = 1; k < 4; k++) {
        struct stack s;
        create(&s, 10 * k);
        int n = s.room, *item = s.item;
        #pragma omp target teams distribute parallel for
        for (int i = 0; i < n; i++)
            item[i] = i * k;
        #pragma omp target update from(item[0:n])
        printf("%d\n", item[n - 1]);
        destroy(&s);
    }
    return 0;
}

// Shows: members behind a pointer to a structure, one of them with a section.
#include <stdio.h>
#include <stdlib.h>

struct row {
    int length;
    int *cell;
};

static void raise(struct row *r)
{
    #pragma omp target teams distribute parallel for map(to: r->length) map(tofrom: r->cell[0:r->length])
    for (int i = 0; i < r->length; i++)
        r->cell[i] += 1;
}

int main(void)
{
    struct row r = {60, NULL};
    r.cell = malloc(r.length * sizeof *r.cell);
    for (int i = 0; i < r.length; i++)
        r.cell[i] = i;
    raise(&r);
    printf("%d\n", r.cell[3]);
    free(r.cell);
    return 0;
}

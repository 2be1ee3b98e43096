// Shows: the elements lie in one array, which is mapped by its section.
#include <stdio.h>
#include <stdlib.h>

struct polygon {
    int corners;
    int *x;
};

int main(void)
{
    enum { COUNT = 5 };
    struct polygon p[COUNT];
    int *all = malloc(COUNT * 10 * sizeof *all), widest = 0;
    for (int k = 0; k < COUNT; k++) {
        p[k].corners = 3 + k;
        p[k].x = all + 10 * k;
        for (int c = 0; c < p[k].corners; c++)
            p[k].x[c] = k * c;
    }
    #pragma omp target map(to: p, all[0:COUNT * 10]) map(tofrom: widest)
    for (int k = 0; k < COUNT; k++)
        for (int c = 0; c < p[k].corners; c++)
            widest = all[10 * k + c] > widest ? all[10 * k + c] : widest;
    printf("%d\n", widest);
    free(all);
    return 0;
}

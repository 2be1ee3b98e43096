// Shows: the array of structures is mapped; each one's member points to the host.
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
    #pragma omp target map(to: p) map(tofrom: widest)
    for (int k = 0; k < COUNT; k++)
        for (int c = 0; c < p[k].corners; c++)
            widest = p[k].x[c] > widest ? p[k].x[c] : widest; // finds: shallow-struct p[k].x
    printf("%d\n", widest);
    free(all);
    return 0;
}

// A function prints one element that its caller chooses.
#include <stdio.h>

static void show(const char *name, const double *v, int at)
{
    printf("%s %g\n", name, v[at]);
}

int main(int argc, char **argv)
{
    double v[30], w[30];
    for (int i = 0; i < 30; i++)
        v[i] = w[i] = i;
    #pragma omp target teams distribute parallel for map(tofrom: v, w)
    for (int i = 0; i < 30; i++) {
        v[i] += 1;
        w[i] += 2;
    }
    show("v", v, argc);
    show("w", w, argc + 1);
    (void)argv;
    return 0;
}

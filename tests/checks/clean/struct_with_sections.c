// Shows: the structure and the sections of its members are mapped together and used through the structure.
#include <stdio.h>
#include <stdlib.h>

struct system {
    int n;
    double *position, *velocity;
};

int main(void)
{
    struct system s = {64, NULL, NULL};
    s.position = malloc(s.n * sizeof *s.position);
    s.velocity = malloc(s.n * sizeof *s.velocity);
    for (int i = 0; i < s.n; i++) {
        s.position[i] = i;
        s.velocity[i] = 1 - i % 3;
    }
    #pragma omp target data map(to: s) map(tofrom: s.position[0:s.n]) map(to: s.velocity[0:s.n])
    for (int step = 0; step < 4; step++) {
        #pragma omp target teams distribute parallel for
        for (int i = 0; i < s.n; i++)
            s.position[i] += s.velocity[i];
    }
    for (int i = 0; i < s.n; i++)
        printf("%g\n", s.position[i]);
    free(s.position);
    free(s.velocity);
    return 0;
}

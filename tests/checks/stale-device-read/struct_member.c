// Shows: the host moves the particles that are mapped through a structure; the device computes with the old places.
#include <stdio.h>
#include <stdlib.h>

struct particles {
    int count;
    double *place;
    double *mass;
};

static double moment(const struct particles *p)
{
    double sum = 0;
    int n = p->count;
    const double *place = p->place, *mass = p->mass;
    #pragma omp target teams distribute parallel for map(tofrom: sum) reduction(+: sum)
    for (int i = 0; i < n; i++)
        sum += place[i] * mass[i]; // finds: stale-device-read place
    return sum;
}

int main(void)
{
    struct particles p = {150, NULL, NULL};
    p.place = malloc(p.count * sizeof(double));
    p.mass = malloc(p.count * sizeof(double));
    for (int i = 0; i < p.count; i++) {
        p.place[i] = i;
        p.mass[i] = 1 + i % 2;
    }
    #pragma omp target enter data map(to: p.place[0:p.count], p.mass[0:p.count])
    for (int i = 0; i < p.count; i++)
        p.place[i] += 4;
    printf("%g\n", moment(&p));
    #pragma omp target exit data map(release: p.place[0:p.count], p.mass[0:p.count])
    free(p.place);
    free(p.mass);
    return 0;
}

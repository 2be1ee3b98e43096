// What one switch puts on the device another one, by the same value, takes away; a third runs there only then.
#include <stdio.h>

enum mode { HOST, DEVICE, KEPT };

static double v[60];

static void step(enum mode mode, int n)
{
    switch (mode) {
    case HOST:
        for (int i = 0; i < n; i++)
            v[i] += 1;
        return;
    case DEVICE:
    case KEPT:
        #pragma omp target map(tofrom: v[0:n])
        for (int i = 0; i < n; i++)
            v[i] += 1;
        break;
    }
}

static void run(enum mode mode, int n)
{
    switch (mode) {
    case DEVICE:
    case KEPT: {
        #pragma omp target enter data map(to: v[0:n])
        break;
    }
    default:
        break;
    }
    for (int times = 0; times < 3; times++)
        step(mode, n);
    switch (mode) {
    case KEPT: {
        #pragma omp target update from(v[0:n])
        #pragma omp target exit data map(delete: v[0:n])
        break;
    }
    case DEVICE: {
        #pragma omp target exit data map(from: v[0:n])
        break;
    }
    default:;
    }
}

int main(int argc, char **argv)
{
    for (int i = 0; i < 60; i++)
        v[i] = i;
    run((enum mode)argc, 60);
    run(HOST, 40);
    run(KEPT, 20);
    printf("%g %g %g\n", v[0], v[30], v[59]);
    (void)argv;
    return 0;
}

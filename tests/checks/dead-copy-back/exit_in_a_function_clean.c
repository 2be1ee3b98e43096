// The input is released.
#include <stdio.h>

static double in[60], out[60];

static void begin(void)
{
    #pragma omp target enter data map(to: in) map(alloc: out)
}

static void end(void)
{
    #pragma omp target exit data map(from: out) map(release: in)
}

int main(void)
{
    for (int i = 0; i < 60; i++)
        in[i] = i;
    begin();
    #pragma omp target teams distribute parallel for
    for (int i = 0; i < 60; i++)
        out[i] = in[i] / 2;
    end();
    printf("%g %g\n", in[59], out[59]);
    return 0;
}

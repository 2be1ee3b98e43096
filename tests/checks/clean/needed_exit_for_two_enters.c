// Shows: the section of one exit goes with two enters, one of which needs all of it.
#include <stdio.h>

static double a[256];

static void end(void)
{
    #pragma omp target exit data map(from: a[0:256])
}

static void add(int n)
{
    #pragma omp target teams distribute parallel for map(tofrom: a[0:n])
    for (int i = 0; i < n; i++)
        a[i] += 1;
}

int main(void)
{
    for (int i = 0; i < 256; i++)
        a[i] = i;
    #pragma omp target enter data map(to: a[0:256])
    add(100);
    end();
    #pragma omp target enter data map(to: a[0:256])
    add(256);
    end();
    printf("%g %g\n", a[0], a[255]);
    return 0;
}

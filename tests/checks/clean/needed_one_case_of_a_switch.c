// Only one case of the switch writes v.
#include <stdio.h>

int main(int argc, char **argv)
{
    int v[40];
    for (int i = 0; i < 40; i++)
        v[i] = i;
    #pragma omp target map(tofrom: v)
    switch (argc) {
    case 7:
        for (int i = 0; i < 40; i++)
            v[i] = 2;
        break;
    default:
        break;
    }
    printf("%d\n", v[39]);
    (void)argv;
    return 0;
}

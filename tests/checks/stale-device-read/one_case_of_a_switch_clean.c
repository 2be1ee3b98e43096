// One case of a switch changes the host's copy, and updates the other one.
#include <stdio.h>

enum { COUNT = 50 };

static void change(int *v, int how)
{
    #pragma omp target data map(tofrom: v[0:COUNT])
    {
        switch (how) {
        case 1:
            for (int i = 0; i < COUNT; i++)
                v[i] = 7;
            #pragma omp target update to(v[0:COUNT])
            break;
        case 2:
        case 3:
            #pragma omp target
            for (int i = 0; i < COUNT; i++)
                v[i] -= how;
            break;
        default:
            break;
        }
        #pragma omp target
        for (int i = 0; i < COUNT; i++)
            v[i] *= 2;
    }
}

int main(int argc, char **argv)
{
    int v[COUNT];
    for (int i = 0; i < COUNT; i++)
        v[i] = i;
    change(v, argc);
    printf("%d %d\n", v[0], v[COUNT - 1]);
    (void)argv;
    return 0;
}

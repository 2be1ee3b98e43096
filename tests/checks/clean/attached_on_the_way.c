// Shows: a member that is mapped through a pointer sets that pointer on the device, also where more pointers follow.
#include <stdio.h>

struct inner {
    int x;
    int *v;
};

struct outer {
    int n;
    struct inner *s;
};

int main(void)
{
    int v[8], sum = 0;
    struct inner s = {1, v};
    struct outer t = {8, &s};
    for (int i = 0; i < 8; i++)
        v[i] = i;
    #pragma omp target data map(to: s, t, v)
    {
        #pragma omp target data map(to: t.s->x)
        {
            #pragma omp target map(tofrom: sum)
            sum += t.s->x;
        }
        #pragma omp target data map(to: t.s->v[0:8])
        {
            #pragma omp target map(tofrom: sum)
            for (int i = 0; i < 8; i++)
                sum += t.s->v[i];
        }
    }
    printf("%d\n", sum);
    return 0;
}

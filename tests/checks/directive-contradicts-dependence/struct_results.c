// Shows: the iterations share the structure that they give to a call: it has a name outside.
// judge: race
#include <stdio.h>

#define N 150

struct pair {
    float x, y;
};

static struct pair make(float x, float y)
{
    struct pair made;
    made.x = x;
    made.y = y;
    return made;
}

static struct pair sum(struct pair a, struct pair b)
{
    return make(a.x + b.x, a.y + b.y);
}

static float first(struct pair a)
{
    return a.x;
}

int main(void)
{
    float a[N], b[N];
    struct pair made;
    #pragma omp target teams distribute parallel for map(from: a) map(tofrom: made) // finds: directive-contradicts-dependence made
    for (int i = 0; i < N; i++) {
        made.x = i;
        made.y = 2;
        a[i] = first(made);
    }
    #pragma omp parallel for
    for (int i = 0; i < N; i++)
        b[i] = sum(make(i, 1), make(2, i)).y;
    for (int i = 0; i < N; i++)
        printf("%g %g\n", a[i], b[i]);
    return 0;
}

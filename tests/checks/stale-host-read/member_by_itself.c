// Members of a structure are mapped one by one. The whole structure, which no clause of the kernel names, is not copied then: a part of it is there.
#include <stdio.h>

struct state {
    int count;
    double total;
    int limit;
    double values[8];
};

static void accumulate(struct state *s)
{
    struct state *state = s;
#pragma omp target
    {
        for (int i = 0; i < 8; i++) {
            state->total += state->values[i];
            state->count += 1;
        }
    }
}

int main(void)
{
    struct state s = {0, 0, 9, {1, 2, 3, 4, 5, 6, 7, 8}};
#pragma omp target data map(to: s.values) map(tofrom: s.count, s.total)
    {
        accumulate(&s);
        while (s.count < s.limit) // finds: stale-host-read s.count
            s.limit -= 4;
        accumulate(&s);
    }
    printf("%d %d %.0f\n", s.count, s.limit, s.total);
    return 0;
}

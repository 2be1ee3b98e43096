// member_arrays: an array of structures, a member from the same member of the element before.
// sizes: -DN=101
// variants: long split
#include <stdint.h>
#include <stdio.h>

#ifndef N
#define N 37
#endif

struct pair {
    int x, y;
};

static struct pair p[N];

void kernel_members(void)
{
    for (int i = 1; i < N; i++) // loop: sequential, pair(+1 p[i].x, +1 p[i - 1].x), because p[i - 1].x is written by the iteration before
        p[i].x = p[i - 1].x + 1;
}

int main(void)
{
    uint64_t sum = 0;

    for (int i = 0; i < N; i++) { // loop: parallel
        p[i].x = i * 5 % 11;
        p[i].y = i * 3 % 7;
    }
    kernel_members();
    for (int i = 0; i < N; i++) // loop: parallel, reduction(+:sum)
        sum += (uint64_t)p[i].x * (uint64_t)(4 * i + 1) + (uint64_t)p[i].y * (uint64_t)(4 * i + 3);
    printf("%016llx last %d %d\n", (unsigned long long)sum, p[N - 1].x, p[N - 1].y);
    return 0;
}

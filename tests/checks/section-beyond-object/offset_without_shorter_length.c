// Shows: the section starts in the middle, but has the length of the whole array.
// judge: same (nothing behind the array changes in between)
#include <stdio.h>

#define N 200

// The second one is what the section reaches.
static int v[N], behind[N];

static void second_half(int start, int length)
{
    #pragma omp target teams distribute parallel for map(tofrom: v[start:length]) // finds: section-beyond-object v
    for (int i = start; i < N; i++)
        v[i] = -v[i];
}

int main(void)
{
    for (int i = 0; i < N; i++)
        v[i] = i;
    second_half(N / 2, N);
    for (int i = 0; i < N; i++)
        printf("%d\n", v[i] + behind[i]);
    return 0;
}

// One member of a structure comes back, another one that the kernel writes does not.
#include <stdio.h>

struct pair {
    int least;
    int most;
    int unused[3];
};

int main(void)
{
    int v[32];
    for (int i = 0; i < 32; i++)
        v[i] = i * 13 % 32;
    struct pair found = {99, -1, {0}};
#pragma omp target map(to: v) map(tofrom: found.least) map(to: found.most)
    {
        for (int i = 0; i < 32; i++) {
            if (v[i] < found.least)
                found.least = v[i];
            found.most = v[i] > found.most ? v[i] : found.most;
        }
    }
    printf("%d\n", found.least);
    printf("%d\n", found.most); // finds: never-copied-back found.most
    return 0;
}

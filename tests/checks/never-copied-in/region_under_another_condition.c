// The region runs on the device in iterations in which the environment does not put the data there.
#include <stdio.h>

int main(void)
{
    int a[1024], b[1024];
    for (int i = 0; i < 1024; i++)
        a[i] = i + 1;
    for (int size = 256; size <= 1024; size += 256) {
        #pragma omp target data if(size > 512) map(to: a[0:size])
        {
            #pragma omp target if(size > 256) map(alloc: a[0:size]) map(from: b[0:size])
            for (int i = 0; i < size; i++)
                b[i] = 2 * a[i]; // finds: never-copied-in a
        }
        printf("%d\n", b[size - 1]);
    }
    return 0;
}

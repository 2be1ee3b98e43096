// An environment and the region in it have the same condition, which comes out otherwise in each iteration.
#include <stdio.h>

int main(void)
{
    int a[1024], b[1024];
    for (int i = 0; i < 1024; i++)
        a[i] = i;
    for (int size = 256; size <= 1024; size += 256) {
        #pragma omp target data if(size > 512) map(to: a[0:size]) map(from: b[0:size])
        {
            #pragma omp target if(size > 512) map(alloc: a[0:size], b[0:size])
            for (int i = 0; i < size; i++)
                b[i] = 2 * a[i];
            if (size > 512) {
                #pragma omp target map(alloc: b[0:size])
                for (int i = 0; i < size; i++)
                    b[i] += 1;
            }
        }
        printf("%d\n", b[size - 1]);
    }
    return 0;
}

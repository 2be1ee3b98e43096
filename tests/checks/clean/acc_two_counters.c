// Data constructs and directives without an end have a counter each: what the one has brought the other does not take away.
#include <stdio.h>

static int a[100], b[100];

int main(void)
{
    for (int i = 0; i < 100; i++) {
        a[i] = i;
        b[i] = 100 - i;
    }
    #pragma acc data copy(a)
    {
        // Nothing to take back: no directive without an end has brought it.
        #pragma acc exit data delete(a)
        #pragma acc exit data delete(a) finalize
        #pragma acc parallel loop present(a)
        for (int i = 0; i < 100; i++)
            a[i] += 3;
        #pragma acc data present(a)
        {
            #pragma acc enter data copyin(a)
            #pragma acc exit data copyout(a)
            #pragma acc exit data delete(a)
            #pragma acc parallel loop present(a)
            for (int i = 0; i < 100; i++)
                a[i] *= 2;
        }
        #pragma acc parallel loop present(a)
        for (int i = 0; i < 100; i++)
            a[i]++;
    }
    printf("%d %d\n", a[7], a[99]);
    // All of its own are taken back at once; the construct's own stays.
    #pragma acc enter data copyin(b)
    #pragma acc enter data copyin(b)
    #pragma acc data copy(b)
    {
        #pragma acc exit data delete(b) finalize
        #pragma acc parallel loop present(b)
        for (int i = 0; i < 100; i++)
            b[i] -= i;
    }
    printf("%d %d\n", b[7], b[99]);
    return 0;
}

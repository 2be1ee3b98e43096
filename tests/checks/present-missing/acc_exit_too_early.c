// Shows: OpenACC: exit data comes before the last kernel that takes the data for present.
#include <stdio.h>

#define N 48

static int a[N], b[N];

int main(void)
{
    for (int i = 0; i < N; i++)
        a[i] = i;
    #pragma acc enter data copyin(a[0:N]) create(b[0:N])
    #pragma acc parallel loop present(a[0:N], b[0:N])
    for (int i = 0; i < N; i++)
        b[i] = 2 * a[i];
    #pragma acc exit data copyout(b[0:N]) delete(a[0:N])
    #pragma acc parallel loop present(b[0:N]) // finds: present-missing b
    for (int i = 0; i < N; i++)
        b[i] += 1;
    for (int i = 0; i < N; i++)
        printf("%d\n", b[i]);
    return 0;
}

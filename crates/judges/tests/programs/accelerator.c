/* OpenACC. LOST makes the sum private to the loop. */
#include <stdio.h>

#ifdef LOST
#define CLAUSE private(last)
#else
#define CLAUSE copy(last)
#endif

int main(void) {
    int a[100], last = -1;
    for (int i = 0; i < 100; i++) a[i] = i;
#pragma acc parallel loop copy(a) CLAUSE
    for (int i = 0; i < 100; i++) {
        a[i] = 2 * a[i];
        if (i == 99) last = a[i];
    }
    printf("%d %d\n", a[50], last);
    return 0;
}

// Reads, writes, updates and captures, all atomic.
// judge: no race
#include <stdio.h>

int main(void)
{
    int ticket = 0, seen = 0, order[400];
    #pragma omp parallel for
    for (int i = 0; i < 400; i++) {
        int mine, now;
        #pragma omp atomic capture
        mine = ticket++;
        #pragma omp atomic write seq_cst
        seen = 1;
        #pragma omp atomic read seq_cst
        now = seen;
        order[mine] = now;
    }
    printf("%d %d\n", ticket, order[399]);
    return 0;
}

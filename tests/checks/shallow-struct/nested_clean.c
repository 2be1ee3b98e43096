// Shows: the section of the inner structure's member is mapped with the outer one.
#include <stdio.h>
#include <stdlib.h>

struct buffer {
    int *byte;
};

struct packet {
    int length;
    struct buffer payload;
};

static int checksum(struct packet *p)
{
    int sum = 0, n = p->length;
    #pragma omp target map(to: p[0:1], p->payload.byte[0:n]) map(tofrom: sum)
    for (int i = 0; i < n; i++)
        sum = (sum * 31 + p->payload.byte[i]) % 1009;
    return sum;
}

int main(void)
{
    struct packet p = {55, {NULL}};
    p.payload.byte = malloc(p.length * sizeof(int));
    for (int i = 0; i < p.length; i++)
        p.payload.byte[i] = i % 17;
    printf("%d\n", checksum(&p));
    free(p.payload.byte);
    return 0;
}

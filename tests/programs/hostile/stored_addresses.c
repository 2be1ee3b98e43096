// stored_addresses: addresses that are stored, compared or made integers: on the device they are others.
// sizes: -DN=101
#include <stdint.h>
#include <stdio.h>

#ifndef N
#define N 37
#endif

struct node {
    int value;
    struct node *next;
};

static struct node ring[N];
static int a[N], b[N];
static const int *places[N];

static void show(const char *name, const int *v, int n)
{
    uint64_t sum = 0;
    for (int i = 0; i < n; i++) // loop: parallel, reduction(+:sum)
        sum += (uint64_t)v[i] * (uint64_t)(2 * i + 1);
    printf("%s: %016llx first %d middle %d last %d\n", name, (unsigned long long)sum, v[0], v[n / 2], v[n - 1]);
}

void kernel_link(struct node *restrict nodes, int n)
{
    for (int i = 0; i < n; i++) { // loop: parallel
        nodes[i].value = i;
        nodes[i].next = &nodes[(i + 1) % n];
    }
}

void kernel_collect(const struct node *restrict nodes, int *restrict v, int n)
{
    for (int i = 0; i < n; i++) // loop: unknown
        v[i] = nodes[i].next->value;
}

void kernel_places(const int **restrict where, const int *restrict v, int n)
{
    for (int i = 0; i < n; i++) { // loop: parallel
        const int *p = v + i;
        where[i] = p;
    }
}

void kernel_compare(const int **restrict where, const int *restrict v, int *restrict w, int n)
{
    for (int i = 0; i < n; i++) // loop: parallel
        w[i] = where[i] == v + i;
}

void kernel_distance(int *restrict v, int n)
{
    for (int i = 0; i < n; i++) { // loop: parallel
        const int *begin = v + i / 2;
        v[i] = (int)(v + i - begin);
    }
}

int main(void)
{
    int steps = 0;
    kernel_link(ring, N);
    for (const struct node *p = ring->next; p != ring && steps < 2 * N; p = p->next) // loop: sequential, pair(+0 p = p->next, +0 p), because p comes from the node before
        steps++;
    printf("steps %d\n", steps);
    kernel_collect(ring, a, N);
    show("a", a, N);
    kernel_places(places, a, N);
    kernel_compare(places, a, b, N);
    show("b", b, N);
    kernel_distance(b, N);
    show("b", b, N);
    return 0;
}

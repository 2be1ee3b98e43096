// boxes: atoms in boxes, behind two pointers, of which comments say how many there are room for: elements by numbers from memory, and as many of a box as memory says.
// sizes: -DN=101 -DBOXES=13
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 37
#endif
#ifndef BOXES
#define BOXES 5
#endif
#define ROOM 8

typedef double vector[3];

struct atoms {
    int room;
    vector *place;
    double *energy;
};

struct boxes {
    int total, local;
    int *count;
    int *neighbours;
};

typedef struct {
    struct atoms *atoms;
    struct boxes *boxes;
    struct {
        int *order;
        int length;
    } by[2];
} simulation;

static struct atoms spare;
static simulation *current;

static void show(const char *name, const double *v, int n)
{
    uint64_t sum = 0;
    for (int i = 0; i < n; i++) // loop: parallel, reduction(+:sum)
        sum += (uint64_t)(int64_t)(v[i] * 4096.0) * (uint64_t)(2 * i + 1);
    printf("%s: %016llx first %g middle %g last %g\n", name, (unsigned long long)sum, v[0], v[n / 2], v[n - 1]);
}

/* As many of each box as memory says, in the room of the box. */
// ferry: extent(s->atoms->energy[0:s->boxes->total * 8], s->atoms->place[0:s->boxes->total * 8])
// ferry: extent(s->boxes->count[0:s->boxes->total])
void kernel_boxes(simulation *s, double *restrict sums)
{
    for (int b = 0; b < s->boxes->local; b++) { // loop: parallel_if
        double sum = 0;
        for (int i = 0; i < s->boxes->count[b]; i++) // loop: parallel, reduction(+:sum)
            sum += s->atoms->energy[b * ROOM + i] + s->atoms->place[b * ROOM + i][1];
        sums[b] = sum;
    }
}

/* Atoms by their numbers; said before the loop, once what it stands on is there. */
void kernel_gather(simulation *s, const int *restrict order, int n, double *restrict out)
{
    if (n < 1)
        return;
    // ferry: extent(s->atoms->energy[0:s->atoms->room])
    for (int i = 0; i < n; i++) // loop: parallel_if
        out[i] = s->atoms->energy[order[i]] * 2;
}

/* Behind a variable of the file, and by numbers in a member of an element of a member. */
// ferry: extent(current->atoms->energy[0:current->atoms->room])
void kernel_current(simulation *s, int n, double *restrict out)
{
    // ferry: extent(s->by[1].order[0:s->by[1].length])
    for (int i = 0; i < n; i++) // loop: parallel_if
        out[i] += current->atoms->energy[s->by[1].order[i]];
}

/* One pointer to the structure: mapped with it. */
// ferry: extent(a->energy[0:a->room])
void kernel_nested(struct atoms *a, const int *restrict order, int n, double *restrict out)
{
    for (int i = 0; i < n; i++) // loop: parallel_if
        out[i] += a->energy[order[i]];
}

/* The storage is another one in between, and smaller: what was said of the first one is not of it. */
// ferry: extent(s->atoms->energy[0:s->atoms->room])
void kernel_moved(simulation *s, simulation *other, const int *restrict order, int n, double *restrict out)
{
    for (int i = 0; i < n; i++) // loop: parallel_if
        out[i] += s->atoms->energy[order[i]];
    other->atoms = &spare;
    for (int i = 0; i < n; i++) // loop: parallel_if
        out[i] -= s->atoms->energy[order[i] % 3] * 4;
}

/* Released, and used no more but under a condition that does not hold then. */
// ferry: extent(s->atoms->energy[0:s->atoms->room])
void kernel_released(simulation *s, simulation *other, int keep, const int *restrict order, int n, double *restrict out)
{
    if (!keep)
        free(other->atoms->energy);
    for (int i = 0; i < n; i++) // loop: parallel_if
        if (keep)
            out[i] += s->atoms->energy[order[i]];
}

int main(void)
{
    static double out[N], sums[BOXES];
    static int order[N];
    struct boxes boxes = { .total = BOXES + 2, .local = BOXES };
    struct atoms atoms = { .room = (BOXES + 2) * ROOM };
    simulation s = { .atoms = &atoms, .boxes = &boxes };
    boxes.count = malloc(sizeof(int) * (BOXES + 2));
    atoms.place = malloc(sizeof(vector) * (BOXES + 2) * ROOM);
    atoms.energy = malloc(sizeof(double) * (BOXES + 2) * ROOM);
    s.by[1].order = malloc(sizeof(int) * N);
    s.by[1].length = N;
    spare.energy = malloc(sizeof(double) * 3);
    spare.room = 3;
    if (!boxes.count || !atoms.place || !atoms.energy || !s.by[1].order || !spare.energy)
        return 1;
    for (int b = 0; b < BOXES + 2; b++) // loop: parallel
        boxes.count[b] = (b * 5 + 3) % (ROOM + 1);
    for (int i = 0; i < (BOXES + 2) * ROOM; i++) { // loop: parallel
        atoms.energy[i] = i % 13 - 4;
        for (int k = 0; k < 3; k++) // loop: parallel
            atoms.place[i][k] = i % 7 + k * 2;
    }
    for (int i = 0; i < N; i++) { // loop: parallel
        order[i] = (i * 11 + 3) % ((BOXES + 2) * ROOM);
        s.by[1].order[i] = (i * 7 + 1) % ((BOXES + 2) * ROOM);
    }
    for (int i = 0; i < 3; i++) // loop: parallel
        spare.energy[i] = i + 1;
    current = &s;
    kernel_boxes(&s, sums);
    show("boxes", sums, BOXES);
    kernel_gather(&s, order, N, out);
    show("gather", out, N);
    kernel_gather(NULL, order, 0, out);
    kernel_current(&s, N, out);
    show("current", out, N);
    kernel_nested(&atoms, order, N, out);
    show("nested", out, N);
    kernel_moved(&s, &s, order, N, out);
    show("moved", out, N);
    s.atoms = &atoms;
    kernel_released(&s, &s, 1, order, N, out);
    show("kept", out, N);
    kernel_released(&s, &s, 0, order, N, out);
    show("released", out, N);
    free(boxes.count);
    free(atoms.place);
    free(s.by[1].order);
    free(spare.energy);
    return 0;
}

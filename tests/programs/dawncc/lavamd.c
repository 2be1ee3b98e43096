// lavamd: the shape of Rodinia's LavaMD, four nested loops over boxes, neighbours and two sets of particles.
// sizes: -DBOXES=4 -DPARTICLES=13
// variants: long split
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef BOXES
#define BOXES 3
#endif
#ifndef PARTICLES
#define PARTICLES 21
#endif
#define BOX_COUNT (BOXES * BOXES)
#define MAX_NEIGHBOURS 8

struct box {
    int offset;
    int neighbour_count;
    int neighbour[MAX_NEIGHBOURS];
};

struct vector {
    float v, x, y, z;
};

void kernel_forces(int box_count, int particles, float alpha, struct box *box, struct vector *rv, float *qv, struct vector *fv)
{
    for (int l = 0; l < box_count; l++) { // loop: parallel_if, atomic(+:fv)
        int first_i = box[l].offset;
        for (int k = 0; k < 1 + box[l].neighbour_count; k++) { // loop: parallel_if, section(+:fv)
            int pointer = k == 0 ? l : box[l].neighbour[k - 1];
            int first_j = box[pointer].offset;
            for (int i = 0; i < particles; i++) { // loop: parallel_if
                for (int j = 0; j < particles; j++) { // loop: parallel_if, reduction(+:fv[first_i + i].v), reduction(+:fv[first_i + i].x), reduction(+:fv[first_i + i].y), reduction(+:fv[first_i + i].z)
                    float r2 = rv[first_i + i].v + rv[first_j + j].v
                        - (rv[first_i + i].x * rv[first_j + j].x + rv[first_i + i].y * rv[first_j + j].y
                           + rv[first_i + i].z * rv[first_j + j].z);
                    float u2 = alpha * r2;
                    float vij = 1.0f - u2;
                    float fs = 2.0f * vij;
                    float dx = rv[first_i + i].x - rv[first_j + j].x;
                    float dy = rv[first_i + i].y - rv[first_j + j].y;
                    float dz = rv[first_i + i].z - rv[first_j + j].z;
                    fv[first_i + i].v += qv[first_j + j] * vij;
                    fv[first_i + i].x += qv[first_j + j] * (fs * dx);
                    fv[first_i + i].y += qv[first_j + j] * (fs * dy);
                    fv[first_i + i].z += qv[first_j + j] * (fs * dz);
                }
            }
        }
    }
}

static void show(const char *name, const struct vector *a, int n)
{
    uint64_t sum = 0;
    for (int i = 0; i < n; i++) { // loop: parallel, reduction(+:sum)
        sum += (uint64_t)(int64_t)(a[i].v * 4096.0) * (uint64_t)(8 * i + 1);
        sum += (uint64_t)(int64_t)(a[i].x * 4096.0) * (uint64_t)(8 * i + 3);
        sum += (uint64_t)(int64_t)(a[i].y * 4096.0) * (uint64_t)(8 * i + 5);
        sum += (uint64_t)(int64_t)(a[i].z * 4096.0) * (uint64_t)(8 * i + 7);
    }
    printf("%s: %016llx first %g %g last %g %g\n", name, (unsigned long long)sum, a[0].v, a[0].x, a[n - 1].y, a[n - 1].z);
}

int main(void)
{
    int count = BOX_COUNT * PARTICLES;
    struct box *box = malloc(BOX_COUNT * sizeof(struct box));
    struct vector *rv = malloc(count * sizeof(struct vector));
    float *qv = malloc(count * sizeof(float));
    struct vector *fv = malloc(count * sizeof(struct vector));
    if (!box || !rv || !qv || !fv)
        return 1;

    for (int row = 0; row < BOXES; row++) { // loop: unknown, because neighbour_count is a subscript // stronger: parallel, if subscripts stay inside a member array
        for (int column = 0; column < BOXES; column++) { // loop: unknown, because neighbour_count is a subscript // stronger: parallel, as above
            struct box *here = &box[row * BOXES + column];
            here->offset = (row * BOXES + column) * PARTICLES;
            here->neighbour_count = 0;
            for (int n = 0; n < MAX_NEIGHBOURS; n++) // loop: parallel
                here->neighbour[n] = -1;
            for (int r = row - 1; r <= row + 1; r++) { // loop: sequential, pair(+5 here->neighbour_count, +4 here->neighbour_count), because the count says where the next neighbour goes
                for (int c = column - 1; c <= column + 1; c++) { // loop: sequential, pair(+4 here->neighbour_count, +3 here->neighbour_count), because the count says where the next neighbour goes
                    if ((r == row && c == column) || r < 0 || c < 0 || r >= BOXES || c >= BOXES)
                        continue;
                    here->neighbour[here->neighbour_count] = r * BOXES + c;
                    here->neighbour_count++;
                }
            }
        }
    }
    for (int i = 0; i < count; i++) { // loop: parallel
        rv[i].v = (float)(i % 3);
        rv[i].x = (float)(i % 4 - 1);
        rv[i].y = (float)(i % 5 - 2);
        rv[i].z = (float)(i % 7 - 3);
        qv[i] = (float)(i % 3 - 1);
        fv[i].v = 1.0f;
        fv[i].x = 2.0f;
        fv[i].y = 3.0f;
        fv[i].z = 4.0f;
    }
    kernel_forces(BOX_COUNT, PARTICLES, 0.5f, box, rv, qv, fv);
    show("forces", fv, count);

    /* The forces are added to the positions that they come from. */
    box[0].neighbour_count = 0;
    kernel_forces(1, 3, 1.0f, box, rv, qv, rv);
    show("in place", rv, count);

    free(box);
    free(rv);
    free(qv);
    free(fv);
    return 0;
}

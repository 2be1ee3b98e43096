/* A function on the device uses variables of the file. MAP says what of them is mapped, ALSO what the second kernel names itself. */
#include <stdio.h>

#ifndef MAP
#define MAP map(to : table, shift) map(from : seen)
#endif
#ifndef ALSO
#define ALSO map(to : table)
#endif
#define PRAGMA(words) _Pragma(#words)
#define KERNEL(clauses) PRAGMA(omp target teams distribute parallel for clauses)

static int table[4][10], shift, seen[10];
#ifdef _OPENMP
#pragma omp declare target link(table, shift, seen)
#endif
static void look(int k) { seen[k] = table[2][k] + shift; }

int main(void) {
    int copy[10];
    for (int step = 0; step < 3; step++) {
        for (int i = 0; i < 40; i++) table[i / 10][i % 10] = i * step;
        shift = step + 1;
        KERNEL(MAP)
        for (int i = 0; i < 10; i++) look(i);
        KERNEL(ALSO map(from : copy))
        for (int i = 0; i < 10; i++) copy[i] = table[2][i];
        for (int i = 0; i < 10; i++) printf("%d %d ", seen[i], copy[i]);
        printf("\n");
    }
    return 0;
}

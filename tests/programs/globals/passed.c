// passed: bounds in tables of the file, in static functions to which other storage is passed, or the table itself.
// sizes: -DN=31
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 47
#endif

static int sizes[3];
static int counts[3];
static int limits[3];
static int bounds[3];
static int widths[3];
static int map[N];
static int *somewhere = bounds;

// So the tables are storage that pointers may lead to.
static void set(int *table, int first, int second)
{
    table[0] = first;
    table[1] = second;
    table[2] = first + second;
}

static void show(const char *name, const int *a)
{
    uint64_t sum = 0;
    for (int i = 0; i < N; i++) // loop: parallel, reduction(+:sum)
        sum += (uint64_t)(a[i] + 4096) * (uint64_t)(2 * i + 1);
    printf("%s: %016llx %d %d\n", name, (unsigned long long)sum, a[0], a[N - 1]);
}

// A variable of the file, storage of the caller, and storage that was allocated.
static void kernel_others(int *a)
{
    for (int i = 0; i < sizes[1]; i++) // loop: parallel
        a[i] = 3 * i + 1;
}

// The same, but once the table itself.
static void kernel_the_table(int *a)
{
    for (int i = 0; i < counts[1]; i++) // loop: sequential, because counts[1] may be overwritten
        a[i] = i + 2;
}

// Handed on: what is known of the caller's parameter is known here.
static void kernel_inside(int *a)
{
    for (int i = 0; i < sizes[0]; i++) // loop: parallel
        a[i] += 2 * i;
}

static void handed_on(int *a)
{
    a[0] += 1;
    kernel_inside(a);
}

// Handed on, and called with the table besides.
static void kernel_twice(int *a)
{
    for (int i = 0; i < limits[0]; i++) // loop: sequential, because limits[0] may be overwritten
        a[i] = i % 2 + 2;
}

static void handed_twice(int *a)
{
    a[0] += 1;
    kernel_twice(a);
}

// A pointer that is found in memory.
static void kernel_found(int *a)
{
    for (int i = 0; i < bounds[2]; i++) // loop: sequential, because bounds[2] may be overwritten
        a[i] = i + 1;
}

// Called through a pointer, too.
static void kernel_called(int *a)
{
    for (int i = 0; i < widths[0]; i++) // loop: sequential, because widths[0] may be overwritten
        a[i] = i + 3;
}

// It calls itself with the table.
static void kernel_itself(int *a, int again)
{
    for (int i = 0; i < widths[1]; i++) // loop: sequential, because widths[1] may be overwritten
        a[i] = 3 - i % 2;
    if (again)
        kernel_itself(widths, 0);
}

int main(void)
{
    int own[N] = {0};
    int *allocated = calloc(N, sizeof *allocated);
    void (*volatile called)(int *) = kernel_called;
    set(sizes, N - 2, N);
    kernel_others(map);
    kernel_others(own);
    kernel_others(allocated);
    show("map", map);
    set(counts, 2, N - 1);
    kernel_the_table(map);
    kernel_the_table(counts);
    printf("%d %d %d\n", counts[0], counts[1], counts[2]);
    handed_on(map);
    handed_on(allocated);
    show("handed on", map);
    set(limits, N, 1);
    handed_twice(own);
    set(limits, 3, 1);
    kernel_twice(limits);
    printf("%d %d %d\n", limits[0], limits[1], limits[2]);
    set(bounds, 1, 2);
    kernel_found(somewhere);
    kernel_found(own);
    printf("%d %d %d\n", bounds[0], bounds[1], bounds[2]);
    set(widths, 3, 2);
    kernel_called(map);
    called(widths);
    printf("%d %d %d\n", widths[0], widths[1], widths[2]);
    set(widths, 3, 3);
    kernel_itself(allocated, 1);
    printf("%d %d %d\n", widths[0], widths[1], widths[2]);
    show("own", own);
    show("allocated", allocated);
    free(allocated);
    return 0;
}

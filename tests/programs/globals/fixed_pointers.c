// fixed_pointers: constant pointers of the file, which lead to one place of one variable for ever; and some that do not.
// sizes: -DN=37
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 53
#endif

static int z[N + 9];
static int y[N + 9];
static int grid[4][N];
static const int *const first = z;
static int *const behind = z + 3;
static const int *const second = y;
static const int *const row = grid[2];
static const int *moves = z;

static void show(const char *name, const int *a)
{
    uint64_t sum = 0;
    for (int i = 0; i < N; i++) // loop: parallel, reduction(+:sum)
        sum += (uint64_t)(a[i] + 4096) * (uint64_t)(2 * i + 1);
    printf("%s: %016llx %d %d\n", name, (unsigned long long)sum, a[0], a[N - 1]);
}

// The same element by two names.
void kernel_same(int n)
{
    for (int i = 0; i < n; i++) // loop: parallel
        z[i] = 2 * first[i] + 1;
}

// Another variable.
void kernel_other(int n)
{
    for (int i = 0; i < n; i++) // loop: parallel
        z[i] = second[i] - z[i];
}

// Three elements behind: no test would find the two apart.
void kernel_behind(int n)
{
    for (int i = 0; i < n; i++) // loop: sequential, pair(+1 behind[i], +1 z[i]), because behind[i] is z[i + 3]
        behind[i] = z[i] + 1;
}

// A row of an array, and others of its rows.
void kernel_row(void)
{
    for (int i = 0; i < N; i++) // loop: parallel
        grid[1][i] = row[i] + grid[3][i];
}

void kernel_same_row(int n)
{
    for (int i = 1; i < n; i++) // loop: sequential, pair(+1 grid[2][i], +1 row[i - 1]), because row[i - 1] is grid[2][i - 1]
        grid[2][i] = row[i - 1] + grid[3][i];
}

// A pointer that is no constant.
void kernel_moves(int n)
{
    for (int i = 0; i < n; i++) // loop: parallel_if
        y[i] = moves[i] + i;
}

int main(void)
{
    for (int i = 0; i < N + 9; i++) { // loop: parallel
        z[i] = i % 11 - 4;
        y[i] = i % 7 - 2;
    }
    for (int k = 0; k < 4; k++) // loop: parallel
        for (int i = 0; i < N; i++) // loop: parallel
            grid[k][i] = (k * 5 + i) % 13;
    kernel_same(N);
    show("same", z);
    kernel_other(N);
    show("other", z);
    kernel_behind(N);
    show("behind", z);
    kernel_row();
    kernel_same_row(N);
    show("rows", grid[1]);
    show("rows", grid[2]);
    kernel_moves(N);
    moves = y + 2;
    kernel_moves(N);
    show("moves", y);
    return 0;
}

// NUSSINOV: the largest number of pairs in a folded sequence, by dynamic programming; arrays of the file.
// sizes: -DN=37
// variants: split
#include <stdint.h>
#include <stdio.h>

#ifndef N
#define N 25
#endif
#define DATA int
#define MATCH(a, b) ((a) + (b) == 3 ? 1 : 0)
#define MAX(a, b) ((a) >= (b) ? (a) : (b))

static char sequence[N];
static DATA table[N][N];

void kernel_nussinov(void)
{
    for (int i = N - 1; i >= 0; i--) { // loop: sequential, pair(+2 table[i][j], +4 MAX(table[i][j], table[i + 1][j])), because row i uses the rows below it
        for (int j = i + 1; j < N; j++) { // loop: sequential, pair(+1 table[i][j], +1 MAX(table[i][j], table[i][j - 1])), because table[i][j] uses the elements before it
            table[i][j] = MAX(table[i][j], table[i][j - 1]);
            if (i + 1 < N)
                table[i][j] = MAX(table[i][j], table[i + 1][j]);
            if (i + 1 < N) {
                /* Neighbours do not pair. */
                if (i < j - 1)
                    table[i][j] = MAX(table[i][j], table[i + 1][j - 1] + MATCH(sequence[i], sequence[j]));
                else
                    table[i][j] = MAX(table[i][j], table[i + 1][j - 1]);
            }
            for (int k = i + 1; k < j; k++) // loop: parallel, reduction(max:table[i][j])
                table[i][j] = MAX(table[i][j], table[i][k] + table[k + 1][j]);
        }
    }
}

static void show2(const char *name, int n, int m, DATA a[n][m])
{
    uint64_t sum = 0;
    for (int i = 0; i < n; i++) // loop: parallel, reduction(+:sum)
        for (int j = 0; j < m; j++) // loop: parallel, reduction(+:sum)
            sum += (uint64_t)(int64_t)(a[i][j] * 4096) * (uint64_t)(2 * (i * m + j) + 1);
    printf("%s: %016llx first %d middle %d last %d\n", name, (unsigned long long)sum, a[0][0], a[n / 2][m / 3], a[n - 1][m - 1]);
}

int main(void)
{
    for (int i = 0; i < N; i++) // loop: parallel
        sequence[i] = (char)((i * i + 3 * i + 1) % 11 % 4);
    for (int i = 0; i < N; i++) // loop: parallel
        for (int j = 0; j < N; j++) // loop: parallel
            table[i][j] = j < i ? i - j - 2 : 0;
    show2("start", N, N, table);
    kernel_nussinov();
    show2("table", N, N, table);
    return 0;
}

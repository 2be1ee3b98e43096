// FLOYD-WARSHALL: all shortest paths, in place; a variable-length array parameter, loops by a macro.
// sizes: -DN=29
// variants: long
#include <stdint.h>
#include <stdio.h>

#ifndef N
#define N 21
#endif
#define DATA int
#define FOR(i, n) for (int i = 0; i < n; ++i)

static DATA graph[N][N];

static void kernel_floyd_warshall(int n, DATA path[n][n])
{
    FOR(k, n) // loop: sequential, pair(+3 path[i][j], +3 path[i][j]), because paths through k use paths through the nodes before it
        FOR(i, n) // loop: sequential, pair(+2 path[i][j], +2 path[k][j]), because row k is read by all iterations and written by one
            FOR(j, n) // loop: sequential, pair(+1 path[i][j], +1 path[i][k]), because path[i][k] is read by all iterations and written by one
                path[i][j] = path[i][j] < path[i][k] + path[k][j] ? path[i][j] : path[i][k] + path[k][j];
}

static void roads(void)
{
    FOR(i, N) // loop: parallel
        FOR(j, N) // loop: parallel
            graph[i][j] = (i + j) % 3 && i != j ? 999 : i * j % 7 + (i > j) * 5 + 1;
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
    roads();
    show2("roads", N, N, graph);
    kernel_floyd_warshall(N, graph);
    show2("paths", N, N, graph);
    return 0;
}

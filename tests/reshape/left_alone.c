// Nests whose loops look as if they should change places, and must not.
// left: 24: the loops over i, j together, in the order i, j: the bounds of i depend on a loop around it, or change
// left: 33: the loops over i, j together, in the order i, j: a value of it counts its iterations, or is used after it
// left: 50: the loops over i, j together, in the order i, j: its iterations need copies of an object
// left: 69: the loops over i, j together: it sums up, and in another order the sum may round otherwise
#include <stdio.h>

#define N 34

static int a[N + 2][N + 2], b[N][N], m[N][N], last, sum;
static int rows[N];

/* Distance (1, -1): the other order reads what is not written yet. */
void against_the_order(void)
{
    for (int j = 1; j < N; j++)
        for (int i = 1; i < N; i++)
            a[i][j] = a[i - 1][j + 1] + a[i][j - 1] + 1;
}

/* The bound of one loop is the variable of the other. */
void triangle(void)
{
    for (int j = 0; j < N; j++)
        for (int i = j; i < N; i++)
            b[i][j] = i * 2 + j;
}

/* The variable is used afterwards. */
int counter_is_used(int n)
{
    int i = 0;
    for (int j = 0; j < N; j++)
        for (i = 0; i < n; i++)
            m[i][j] = i - j;
    return i;
}

/* The bound lies behind a pointer that may be none where the outer loop does not run. */
void bound_behind_a_pointer(int n, const int *limit)
{
    for (int j = 0; j < n; j++)
        for (int i = 0; i < *limit; i++)
            m[i][j] += 3;
}

/* The last iteration of all sets it. */
void last_value(void)
{
    for (int j = 0; j < N; j++)
        for (int i = 0; i < N; i++) {
            last = a[i][j];
            m[i][j] += last;
        }
}

int main(void)
{
    for (int i = 0; i < N + 2; i++)
        for (int j = 0; j < N + 2; j++)
            a[i][j] = i * 3 - j;
    against_the_order();
    triangle();
    int used = counter_is_used(N - 2);
    int limit = N - 3;
    bound_behind_a_pointer(N, &limit);
    bound_behind_a_pointer(0, NULL);
    last_value();
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            sum += (a[i][j] % 1000) * (1 + j % 3) + b[i][j] + m[i][j] % 1000;
            rows[i] += m[i][j] % 100;
        }
    printf("%d %d %d %d\n", sum, used, last, rows[5]);
    return 0;
}

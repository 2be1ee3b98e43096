// Kernels whose threads touch as many lines in every order, each of them few: what is gained is threads alone, while a GPU holds more of them.
// done: 24: the loops over k, j together
// done: 37: the loops over k, j together
// done: 52: the loops over j, k, i together, in the order j, k, i
// done: 62: the loops over l, i together
// done: 73: the loops over k, j together
// left: 82: the loops over k, j together: its iterations need copies of an object
// left: 105: the loops over k, j together: it sums up, and in another order the sum may round otherwise
#include <stdio.h>

#define PLANES 34
#define ROWS 34
#define LENGTH 20

static double lhs[PLANES][ROWS][LENGTH][2], rhs[PLANES][ROWS][LENGTH][2];
static double edge[PLANES][ROWS][LENGTH][5];
static double speed[PLANES][ROWS][PLANES], memory[PLANES][ROWS][PLANES], damp[PLANES];
static double level[PLANES][ROWS][LENGTH], height[PLANES][ROWS][LENGTH];

/* Along i each cell needs its neighbour: a block tridiagonal solver's sweep. */
void sweep(void)
{
    #pragma omp target teams distribute parallel for map(to: lhs) map(tofrom: rhs)
    for (int k = 1; k <= PLANES - 2; k++)
        for (int j = 1; j <= ROWS - 2; j++)
            for (int i = 1; i < LENGTH; i++) {
                double one = rhs[k][j][i - 1][0], two = rhs[k][j][i - 1][1];
                rhs[k][j][i][0] -= lhs[k][j][i][0] * one + lhs[k][j][i][1] * two;
                rhs[k][j][i][1] -= lhs[k][j][i][1] * one - lhs[k][j][i][0] * two;
            }
}

/* The ends of each line of cells: a pentadiagonal solver's first step. */
void begin_lines(void)
{
    #pragma omp target teams distribute parallel for map(tofrom: edge)
    for (int k = 1; k <= PLANES - 2; k++)
        for (int j = 1; j <= ROWS - 2; j++) {
            for (int m = 0; m < 5; m++) {
                edge[k][j][0][m] = 0;
                edge[k][j][LENGTH - 1][m] = 0;
            }
            edge[k][j][0][2] = 1;
            edge[k][j][LENGTH - 1][2] = 1;
        }
}

/* The axis of neighbouring cells is the outermost loop: a seismic wave in a layer that swallows it. */
void swallow(void)
{
    #pragma omp target teams distribute parallel for map(to: speed, damp) map(tofrom: memory)
    for (int i = 1; i <= PLANES - 2; i++)
        for (int k = 0; k < PLANES; k++)
            for (int j = 0; j < ROWS; j++)
                memory[k][j][i] = memory[k][j][i] * damp[i] + (speed[k][j][i + 1] - speed[k][j][i]) / 2;
}

/* What leaves on one side comes back on the other: layers of shallow water. */
void around(void)
{
    #pragma omp target teams distribute parallel for map(tofrom: height)
    for (int l = 1; l <= PLANES - 2; l++)
        for (int i = 1; i <= ROWS - 2; i++) {
            height[l][i][LENGTH - 1] = height[l][i][1];
            height[l][i][0] = height[l][i][LENGTH - 2];
        }
}

/* Columns of a stencil: the cells above come first. */
void settle(void)
{
    #pragma omp target teams distribute parallel for map(to: height) map(tofrom: level)
    for (int k = 1; k <= PLANES - 2; k++)
        for (int j = 1; j <= ROWS - 2; j++)
            for (int i = 1; i < LENGTH; i++)
                level[k][j][i] = level[k][j][i - 1] / 2 + height[k - 1][j][i] + height[k + 1][j][i]
                    + height[k][j - 1][i] + height[k][j + 1][i];
}

int main(void)
{
    for (int k = 0; k < PLANES; k++)
        for (int j = 0; j < ROWS; j++) {
            for (int i = 0; i < LENGTH; i++) {
                for (int m = 0; m < 2; m++) {
                    lhs[k][j][i][m] = (k + 2 * j + 3 * i + m) % 3 - 1;
                    rhs[k][j][i][m] = (k * j + i + m) % 5;
                }
                for (int m = 0; m < 5; m++)
                    edge[k][j][i][m] = k + j - i * m;
                height[k][j][i] = (k * 3 + j * 5 + i) % 16;
            }
            for (int i = 0; i < PLANES; i++) {
                speed[k][j][i] = (k + j * i) % 8;
                memory[k][j][i] = (k * i + j) % 4;
            }
            damp[k] = k % 2;
        }
    sweep();
    begin_lines();
    swallow();
    around();
    settle();
    double sums[4] = { 0 };
    for (int k = 0; k < PLANES; k++)
        for (int j = 0; j < ROWS; j++) {
            for (int i = 0; i < LENGTH; i++) {
                sums[0] += (rhs[k][j][i][0] - rhs[k][j][i][1]) * (1 + (k + j + i) % 3);
                sums[1] += edge[k][j][i][i % 5] * (1 + k % 2);
                sums[3] += (level[k][j][i] + height[k][j][i]) * (1 + (k + 2 * j) % 4);
            }
            for (int i = 0; i < PLANES; i++)
                sums[2] += memory[k][j][i] * (1 + (k + i) % 5);
        }
    printf("%.0f %.0f %.1f %.6f\n", sums[0], sums[1], sums[2], sums[3]);
    return 0;
}

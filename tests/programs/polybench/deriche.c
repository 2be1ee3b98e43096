// DERICHE: a recursive edge filter, forwards and backwards along both directions of an image; heap arrays.
// sizes: -DW=15 -DH=37
// variants: long
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* The coefficients are integers and halves, and the recursion y = x + y' - y'' grows slowly: everything is exact. */
#ifndef W
#define W 25
#endif
#ifndef H
#define H 17
#endif
#define DATA double
#define B1 1
#define B2 (-1)
#define C1 ((DATA)0.5)
#define C2 ((DATA)0.25)

static void kernel_deriche(DATA (*in)[H], DATA (*out)[H], DATA (*y1)[H], DATA (*y2)[H])
{
    const DATA a1 = 2, a2 = 1, a3 = 1, a4 = -1;
    const DATA a5 = 1, a6 = -1, a7 = 2, a8 = 1;
    DATA xm1, ym1, ym2, tm1;
    DATA xp1, xp2, yp1, yp2, tp1, tp2;

    for (int i = 0; i < W; i++) { // loop: parallel, private(xm1), private(ym1), private(ym2)
        ym1 = 0;
        ym2 = 0;
        xm1 = 0;
        for (int j = 0; j < H; j++) { // loop: sequential, pair(+2 xm1 = in[i][j], +1 xm1), because the filter uses its last two values
            y1[i][j] = a1 * in[i][j] + a2 * xm1 + B1 * ym1 + B2 * ym2;
            xm1 = in[i][j];
            ym2 = ym1;
            ym1 = y1[i][j];
        }
    }

    for (int i = 0; i < W; i++) { // loop: parallel, private(xp1), private(xp2), private(yp1), private(yp2)
        yp1 = 0;
        yp2 = 0;
        xp1 = 0;
        xp2 = 0;
        for (int j = H - 1; j >= 0; j--) { // loop: sequential, pair(+3 xp1 = in[i][j], +1 xp1), because the filter uses its last two values
            y2[i][j] = a3 * xp1 + a4 * xp2 + B1 * yp1 + B2 * yp2;
            xp2 = xp1;
            xp1 = in[i][j];
            yp2 = yp1;
            yp1 = y2[i][j];
        }
    }

    for (int i = 0; i < W; i++) // loop: parallel
        for (int j = 0; j < H; j++) // loop: parallel
            out[i][j] = C1 * (y1[i][j] + y2[i][j]);

    for (int j = 0; j < H; j++) { // loop: parallel, private(tm1), private(ym1), private(ym2)
        tm1 = 0;
        ym1 = 0;
        ym2 = 0;
        for (int i = 0; i < W; i++) { // loop: sequential, pair(+4 ym1 = y1[i][j], +1 ym1), because the filter uses its last two values
            y1[i][j] = a5 * out[i][j] + a6 * tm1 + B1 * ym1 + B2 * ym2;
            tm1 = out[i][j];
            ym2 = ym1;
            ym1 = y1[i][j];
        }
    }

    for (int j = 0; j < H; j++) { // loop: parallel, private(tp1), private(tp2), private(yp1), private(yp2)
        tp1 = 0;
        tp2 = 0;
        yp1 = 0;
        yp2 = 0;
        for (int i = W - 1; i >= 0; i--) { // loop: sequential, pair(+5 yp1 = y2[i][j], +1 yp1), because the filter uses its last two values
            y2[i][j] = a7 * tp1 + a8 * tp2 + B1 * yp1 + B2 * yp2;
            tp2 = tp1;
            tp1 = out[i][j];
            yp2 = yp1;
            yp1 = y2[i][j];
        }
    }

    for (int i = 0; i < W; i++) // loop: parallel
        for (int j = 0; j < H; j++) // loop: parallel
            out[i][j] = C2 * (y1[i][j] + y2[i][j]);
}

static void fill2(int n, int m, DATA a[n][m], int step)
{
    for (int i = 0; i < n; i++) // loop: parallel
        for (int j = 0; j < m; j++) // loop: parallel
            a[i][j] = (DATA)((i * step + j * 3 + i / 8) % 7 - 3);
}

static void show2(const char *name, int n, int m, DATA a[n][m])
{
    uint64_t sum = 0;
    for (int i = 0; i < n; i++) // loop: parallel, reduction(+:sum)
        for (int j = 0; j < m; j++) // loop: parallel, reduction(+:sum)
            sum += (uint64_t)(int64_t)(a[i][j] * 4096.0) * (uint64_t)(2 * (i * m + j) + 1);
    printf("%s: %016llx first %g middle %g last %g\n", name, (unsigned long long)sum, a[0][0], a[n / 2][m / 3], a[n - 1][m - 1]);
}

int main(void)
{
    DATA(*in)[H] = malloc(sizeof(DATA[W][H]));
    DATA(*out)[H] = malloc(sizeof(DATA[W][H]));
    DATA(*y1)[H] = malloc(sizeof(DATA[W][H]));
    DATA(*y2)[H] = malloc(sizeof(DATA[W][H]));
    if (!in || !out || !y1 || !y2)
        return 1;

    fill2(W, H, in, 2);
    fill2(W, H, out, 3);
    fill2(W, H, y1, 4);
    fill2(W, H, y2, 5);
    kernel_deriche(in, out, y1, y2);
    show2("out", W, H, out);
    show2("y1", W, H, y1);
    show2("y2", W, H, y2);

    free(in);
    free(out);
    free(y1);
    free(y2);
    return 0;
}

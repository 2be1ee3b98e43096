// forms: updates in every form of text, those that directives take and those that they do not take.
// sizes: -DN=307
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 151
#endif

#define COUNT(x) (x)++
#define BIN(x) ((x) & 31)

static int a[32], b[32], c[32], d[32], e[32];
static unsigned char bytes[32];
static short shorts[32];

static void show(const char *name, const int *v, int n)
{
    uint64_t sum = 0;
    for (int i = 0; i < n; i++) // loop: parallel, reduction(+:sum)
        sum += (uint64_t)v[i] * (uint64_t)(2 * i + 1);
    printf("%s: %016llx first %d middle %d last %d\n", name, (unsigned long long)sum, v[0], v[n / 2], v[n - 1]);
}

void kernel_taken(int n, const int *restrict k)
{
    for (int i = 0; i < n; i++) { // loop: parallel, atomic(+:a)
        a[BIN(k[i])]++;
        ++a[k[i] & 15];
        a[k[i] & 7]--;
        /* a comment; */ --a[k[i] & 3];
        a[k[i] & 31] += i; a[(k[i] + 1) & 31] -= i;
        a[k[i] & 31] = a[k[i] & 31] + 2 * i;
        a[k[i] & 31] = a[k[i] & 31] - (i & 3);
        a[k[i] & 31] = i + a[k[i] & 31]; // a comment
        (a[k[i] & 31])++;
    }
}

void kernel_placed(int n, const int *restrict k)
{
    for (int i = 0; i < n; i++) { // loop: parallel, atomic(+:b)
        if (k[i] & 1) b[k[i] & 31]++; else b[k[i] & 15] += 2;
        if (i % 3 == 0)
            b[i & 31] += 1;
        switch (i & 3) {
        case 0:
            b[k[i] & 31] += 3;
            break;
        case 1: b[k[i] & 31] += 5; break;
        default:
            b[k[i] & 31] += 7;
        }
        { b[k[i] & 1] += 1; }
    }
}

void kernel_macro(int n, const int *restrict k)
{
    for (int i = 0; i < n; i++) // loop: parallel, atomic(+:c)
        COUNT(c[k[i] & 31]);
}

void kernel_comma(int n, const int *restrict k)
{
    for (int i = 0; i < n; i++) // loop: parallel, atomic(+:d)
        d[k[i] & 31]++, d[k[i] & 15]++;
}

void kernel_longer(int n, const int *restrict k)
{
    for (int i = 0; i < n; i++) // loop: parallel, atomic(+:d)
        d[k[i] & 31] = d[k[i] & 31] + i + 1;
}

void kernel_chosen(int n, const int *restrict k)
{
    for (int i = 0; i < n; i++) // loop: parallel, atomic(+:e)
        (void)(k[i] > 7 ? e[k[i] & 31]++ : e[k[i] & 15]--);
}

void kernel_narrow(int n, const int *restrict k)
{
    for (int i = 0; i < n; i++) { // loop: parallel, atomic(+:bytes), atomic(+:shorts)
        bytes[k[i] & 31]++;
        shorts[k[i] & 31] -= 3;
    }
}

int main(void)
{
    int *k = malloc(N * sizeof *k);
    if (!k)
        return 1;
    for (int i = 0; i < N; i++) // loop: parallel
        k[i] = i * 9 + i / 4;
    kernel_taken(N, k);
    kernel_placed(N, k);
    kernel_macro(N, k);
    kernel_comma(N, k);
    kernel_longer(N, k);
    kernel_chosen(N, k);
    kernel_narrow(N, k);
    show("a", a, 32);
    show("b", b, 32);
    show("c", c, 32);
    show("d", d, 32);
    for (int i = 0; i < 32; i++) // loop: parallel
        e[i] += bytes[i] + 1000 * shorts[i];
    show("e", e, 32);
    free(k);
    return 0;
}

// packed_members: members of a few bits, and members that share their bytes.
// sizes: -DN=101
#include <stdint.h>
#include <stdio.h>

#ifndef N
#define N 37
#endif

struct flags {
    unsigned low : 3, high : 5;
    int rest : 9;
    unsigned char count;
};

union word {
    int whole[4];
    short half[8];
};

static struct flags packed[N];
static union word words[N];
static int a[N], b[N];

static void fill(int *v, int n, int step)
{
    for (int i = 0; i < n; i++) // loop: parallel
        v[i] = (i * step + i / 16) % 11 - 5;
}

static void show(const char *name, const int *v, int n)
{
    uint64_t sum = 0;
    for (int i = 0; i < n; i++) // loop: parallel, reduction(+:sum)
        sum += (uint64_t)v[i] * (uint64_t)(2 * i + 1);
    printf("%s: %016llx first %d middle %d last %d\n", name, (unsigned long long)sum, v[0], v[n / 2], v[n - 1]);
}

void kernel_bits(struct flags *restrict f, const int *restrict v)
{
    for (int i = 0; i < N; i++) { // loop: parallel
        f[i].low = (unsigned)v[i] & 7;
        f[i].high = (unsigned)(v[i] * 3) & 31;
        f[i].rest = v[i] - 1;
        f[i].count++;
    }
}

void kernel_halves(union word *restrict w)
{
    for (int i = 0; i < N; i++) { // loop: parallel
        for (int j = 0; j < 4; j++) // loop: parallel
            w[i].whole[j] = i * 70000 + j;
        for (int j = 0; j < 3; j++) // loop: sequential, pair(+1 w[i].half[j + 4], +1 w[i].whole[j]), because w[i].half[4] lies in w[i].whole[2]
            w[i].half[j + 4] = (short)(w[i].half[j + 4] + w[i].whole[j] % 5);
    }
}

int main(void)
{
    fill(a, N, 5);
    kernel_bits(packed, a);
    kernel_halves(words);
    for (int i = 0; i < N; i++) { // loop: parallel
        a[i] = (int)(packed[i].low + packed[i].high) + packed[i].rest + packed[i].count;
        b[i] = words[i].whole[0] + words[i].half[5] + words[i].whole[3];
    }
    show("a", a, N);
    show("b", b, N);
    return 0;
}

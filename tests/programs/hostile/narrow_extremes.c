// narrow_extremes: the greatest and the least value, kept in what cannot hold all that is compared.
#include <stdio.h>

#ifndef N
#define N 3000
#endif
#define LARGER(a, b) ((a) > (b) ? (a) : (b))

static int whole[N];
static long wide[N];
static short small[N];
static double real[N];

struct best {
    int count;
    short value;
};

/* 70000 becomes 4464: what comes behind it is greater again. */
static short narrow(int n, const int *a)
{
    short m = -100;
    for (int i = 0; i < n; i++) // loop: sequential, pair(+1 m = a[i] > m ? a[i] : m, +1 m), because what is kept is not what was compared
        m = a[i] > m ? a[i] : m;
    return m;
}

static int least(int n, const long *a)
{
    int m = 1 << 30;
    for (int i = 0; i < n; i++) // loop: sequential, pair(+1 m = m < a[i] ? m : a[i], +1 m), because what is kept is not what was compared
        m = m < a[i] ? m : a[i];
    return m;
}

static unsigned char bytes(int n, const int *a)
{
    unsigned char m = 0;
    for (int i = 0; i < n; i++) { // loop: sequential, pair(+2 m = LARGER(t, m), +2 LARGER(t, m)), because what is kept is not what was compared
        int t = a[i] + 3;
        m = LARGER(t, m);
    }
    return m;
}

static void member(int n, const int *a, struct best *b)
{
    for (int i = 0; i < n; i++) // loop: sequential, pair(+1 b->value, +1 b->value), because what is kept is not what was compared
        b->value = a[i] > b->value ? a[i] : b->value;
}

static float rounded(int n, const double *a)
{
    float m = -1;
    for (int i = 0; i < n; i++) // loop: sequential, pair(+1 m = a[i] > m ? a[i] : m, +1 m), because what is kept is not what was compared
        m = a[i] > m ? a[i] : m;
    return m;
}

/* Each step is rounded to what a float holds: 16777217 is none of these. */
static double in_steps(int n, const short *a)
{
    double s = 16777217;
    for (int i = 0; i < n; i++) // loop: sequential, pair(+1 s = (float)s + a[i], +1 s), because each step is rounded
        s = (float)s + a[i];
    return s;
}

static double through(int n, const double *a)
{
    double m = 0.1;
    for (int i = 0; i < n; i++) { // loop: sequential, pair(+2 m = t, +1 m), because each step is rounded
        float t = a[i] > m ? a[i] : m;
        m = t;
    }
    return m;
}

/* These hold all that is compared. */
static short fitting(int n, const short *a)
{
    short m = -100;
    for (int i = 0; i < n; i++) // loop: parallel, reduction(max:m)
        m = a[i] > m ? a[i] : m;
    return m;
}

static long widened(int n, const int *a)
{
    long m = 1L << 40;
    for (int i = 0; i < n; i++) // loop: parallel, reduction(min:m)
        m = m < a[i] ? m : a[i];
    return m;
}

static double longer(int n, const short *a)
{
    double m = 0;
    for (int i = 0; i < n; i++) // loop: parallel, reduction(max:m)
        m = LARGER(a[i], m);
    return m;
}

int main(void)
{
    for (int i = 0; i < N; i++) { // loop: parallel
        whole[i] = i % 5 ? 60000 + i * 7 % 12000 : i % 4000;
        wide[i] = (i % 3 - 1L) * (1L << 32) + i * 11 % 500;
        small[i] = i * 13 % 777 - 5;
        real[i] = 1 + i * 37 % 2048 / 17179869184.0;
    }
    struct best b = {N, -1};
    member(N, whole, &b);
    printf("%d %d %d %d %.17g\n", narrow(N, whole), least(N, wide), bytes(N, whole), b.value, rounded(N, real));
    printf("%.17g %.17g\n", in_steps(N, small), through(N - 1, real + 1) + through(0, real));
    printf("%d %ld %g\n", fitting(N, small), widened(N, whole), longer(N, small));
    return 0;
}

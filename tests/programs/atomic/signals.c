// signals: what iterations set to one value, whichever of them do: signs of change, of failure, and marks of what was reached.
// sizes: -DN=1009 -DM=9
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 700
#endif
#ifndef M
#define M 14
#endif

typedef uint16_t __attribute__((may_alias, aligned(1))) loose;

enum state { GOOD = 0, WEAK = 2, BROKEN = -3 };

struct run {
    int steps;
    int moved;
    double rest[M];
};

static int noticed;
static int key[N], value[N];
static unsigned char reached[N];
static double scattered[N];
static double field[M][N], copy[M][N];

/* Sets of numbers in levels: from each number i one goes on to next[i]. */
static int levels(int n, const int *restrict next, bool *restrict now, bool *restrict later, bool *restrict seen)
{
    int level = 0;
    bool more;
    do { // loop: sequential, pair(+9 seen[i], +7 seen[i]), private(more), because each level begins with what the last one left
        more = false;
        for (int i = 0; i < n; i++) // loop: parallel, atomic(write:later) // stronger: no
            if (now[i])
                later[next[i]] = true;
        for (int i = 0; i < n; i++) { // loop: parallel, reduction(||:more)
            now[i] = false;
            if (later[i] && !seen[i]) {
                now[i] = true;
                seen[i] = true;
                more = true;
            }
            later[i] = false;
        }
        level++;
    } while (more);
    return level;
}

/* A relaxation that ends when no element moves any more. */
static int relax(int n, double (*restrict a)[N], double (*restrict b)[N], double least)
{
    int done = 0, steps = 0;
    while (!done && steps < 30) { // loop: sequential, pair(+6 done = 0, +0 done), because each step begins with what the last one left
        done = 1;
        for (int i = 1; i < M - 1; i++) // loop: parallel, reduction(&&:done)
            for (int j = 1; j < n - 1; j++) { // loop: parallel, reduction(&&:done)
                double mean = 0.25 * (a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]);
                if (mean - a[i][j] > least || a[i][j] - mean > least)
                    done = 0;
                b[i][j] = mean;
            }
        for (int i = 1; i < M - 1; i++) // loop: parallel
            for (int j = 1; j < n - 1; j++) // loop: parallel
                a[i][j] = b[i][j];
        steps++;
    }
    return steps;
}

/* What the variables hold before is less than what they are set to, or greater; of the last one nothing is known. */
static long numbers(int n, const int *a, int code)
{
    enum state state = GOOD;
    int err = 0;
    unsigned char most = 7;
    short least = 100;
    long long far = -1;
    for (int i = 0; i < n; i++) { // loop: parallel, reduction(max:far), reduction(max:most), reduction(max:state), reduction(min:err), reduction(min:least), atomic(write:code)
        if (a[i] > 40)
            err = BROKEN;
        if (a[i] == 17)
            most = 200;
        if (a[i] == 3)
            least = -5;
        if (a[i] < -45)
            state = WEAK;
        if (a[i] < 1000)
            far = 1000000000000;
        if (a[i] % 7 == 5)
            code = 4;
    }
    return err + 3 * most + 5 * least + 7 * state + far / 1000 + 11 * code;
}

/* Choices, in which the variable may stay as it is. */
static int chosen(int n, const int *a)
{
    int high = 0, low = 5;
    for (int i = 0; i < n; i++) { // loop: parallel, reduction(||:high), reduction(min:low)
        high = a[i] > 45 ? 1 : high;
        low = a[i] > -30 ? low : -9;
    }
    return 10 * high + low;
}

/* Of few bytes, which are set by themselves: not where the old value is read. */
static int kept(int n, const int *a)
{
    unsigned char high = 0;
    short low = 90;
    for (int i = 0; i < n; i++) { // loop: parallel, reduction(||:high), reduction(min:low)
        high = a[i] > 49 ? 1 : high;
        low = a[i] > -50 ? low : -3;
    }
    return 100 * high + low;
}

/* What was never set may be greater than any number: nothing reads it where no iteration sets it. */
static int unset(int n, const int *a)
{
    int code, found = 0;
    for (int i = 0; i < n; i++) // loop: parallel, reduction(||:found), atomic(write:code)
        if (a[i] == 3) {
            code = 5;
            found = 1;
        }
    if (!found)
        code = 9;
    return code;
}

/* A value that the loop does not change is one, too. */
static double one_value(int n, const int *a, double worth, int step)
{
    double last = 0.5;
    int when = step - 9;
    for (int i = 0; i < n; i++) // loop: parallel, atomic(write:last), atomic(write:when)
        if (a[i] > 30) {
            last = worth * 2;
            when = step + 1;
        }
    return last + when;
}

/* In memory. */
static void pointed(int n, const int *restrict a, int *restrict failed)
{
    for (int i = 0; i < n; i++) // loop: parallel, atomic(write:failed)
        if (a[i] > 48)
            *failed = 1;
}

static void of_file(int n, const int *restrict a)
{
    for (int i = 0; i < n; i++) // loop: parallel, atomic(write:noticed)
        if (a[i] < -48)
            noticed = 6;
}

static void member(struct run *restrict r, const int *restrict a)
{
    for (int i = 0; i < r->steps; i++) // loop: parallel, atomic(write:r->moved)
        if (a[i] % 3 == 1)
            r->moved = 1;
}

static void marks(int n, const int *restrict k)
{
    for (int i = 0; i < n; i++) { // loop: parallel, atomic(write:reached), atomic(write:scattered)
        reached[k[i]] = 1;
        scattered[k[i]] = -0.0;
    }
}

/* Two values, and the number of an iteration, are not one: the last iteration counts. */
static int two_values(int n, const int *a)
{
    int sign = 0;
    for (int i = 0; i < n; i++) { // loop: unknown, because the last of two values counts
        if (a[i] > 20)
            sign = 1;
        if (a[i] < -20)
            sign = -1;
    }
    return sign;
}

static void two_marks(int n, const int *restrict k, int *restrict mark, int *restrict sign)
{
    for (int i = 0; i < n; i++) { // loop: unknown, pair(+1 mark[k[i]], +2 mark[k[n - 1 - i]]), because the last of two values counts // stronger: sequential
        mark[k[i]] = 1;
        mark[k[n - 1 - i]] = 2;
        if (k[i] % 3 == 1)
            *sign = 1;
        if (k[i] % 3 == 2)
            *sign = -1;
    }
}

static int place(int n, const int *a)
{
    int at = -1;
    for (int i = 0; i < n; i++) // loop: unknown, because the last iteration that sets it counts
        if (a[i] == 11)
            at = i;
    return at;
}

/* What iterations read of the flag is what those before them left. */
static int counted(int n, const int *a)
{
    int found = 0, before = 0;
    for (int i = 0; i < n; i++) { // loop: sequential, pair(+4 found = 1, +1 found), reduction(+:before), because iterations behind the first that sets it are not counted
        if (!found)
            before++;
        if (a[i] == 11)
            found = 1;
    }
    return before;
}

static int marked(int n, const int *restrict k, int *restrict mark)
{
    int again = 0;
    for (int i = 0; i < n; i++) { // loop: parallel_if, reduction(+:again), atomic(write:mark), because the second that comes to a mark is counted
        if (mark[k[i]])
            again++;
        mark[k[i]] = 1;
    }
    return again;
}

/* A subscript reads what another iteration sets. */
static void chased(int n, int *mark)
{
    for (int i = 0; i < n; i++) // loop: unknown, pair(+1 mark[mark[i]], +1 mark[i]), because a mark says where the next one is set // stronger: sequential
        mark[mark[i]] = 3;
}

/* Numbers that lie across one another in memory: the bytes of one value at different places. */
static void across(int n, const int *restrict k, unsigned char *restrict bytes)
{
    for (int i = 0; i < n; i++) // loop: unknown, pair(+1 *(loose *)(bytes + k[i]), +1 *(loose *)(bytes + k[i])), because a number may lie in the middle of another one // stronger: sequential
        *(loose *)(bytes + k[i]) = 0x0102;
}

/* Every iteration sets all of it: one would do. */
static void all_again(int n, int m, double *restrict rest)
{
    for (int i = 0; i < n; i++) // loop: sequential, pair(+2 rest[j], +2 rest[j]), because every iteration sets the same elements // stronger: parallel, all set them to 0
        for (int j = 0; j < m; j++) // loop: parallel
            rest[j] = 0;
}

static void fill(void)
{
    uint32_t state = 12345;
    for (int i = 0; i < N; i++) { // loop: sequential, pair(+1 state = state * 1664525u + 1013904223u, +1 state), because each number comes from the one before
        state = state * 1664525u + 1013904223u;
        value[i] = (int)(state >> 16) % 101 - 50;
        key[i] = (int)((state >> 8) % N);
        scattered[i] = i;
    }
    for (int i = 0; i < M; i++) // loop: parallel
        for (int j = 0; j < N; j++) // loop: parallel
            field[i][j] = copy[i][j] = (i * 7 + j * 3) % 11;
}

static double weigh(int n, const unsigned char *a)
{
    long sum = 0;
    for (int i = 0; i < n; i++) // loop: parallel, reduction(+:sum)
        sum += a[i] * (i % 13 + 1);
    return sum;
}

static double total(int n, const double *a)
{
    double sum = 0;
    for (int i = 0; i < n; i++) // loop: parallel, reduction(+:sum)
        sum += a[i] * (i % 17);
    return sum;
}

static void clear(int n, int *a)
{
    for (int i = 0; i < n; i++) // loop: parallel
        a[i] = 0;
}

static double of_keys(int n, const int *a)
{
    double sum = 0;
    for (int i = 0; i < n; i++) // loop: parallel, reduction(+:sum)
        sum += a[i] * (i % 17);
    return sum;
}

int main(void)
{
    static bool now[N], later[N], seen[N];
    static int mark[N];
    static unsigned char bytes[2 * N];
    static struct run r = {.steps = N - 3};
    fill();
    now[5] = seen[5] = true;
    printf("levels %d\n", levels(N, key, now, later, seen));
    int steps = relax(N, field, copy, 0.01);
    printf("steps %d, %g\n", steps, field[M / 2][N / 2]);
    printf("numbers %ld\n", numbers(N, value, 50));
    printf("none %ld\n", numbers(0, value, 50));
    printf("chosen %d %d\n", chosen(N, value), chosen(0, value));
    printf("kept %d, unset %d %d\n", kept(N, value), unset(N, value), unset(2, value));
    printf("one value %g %g\n", one_value(N, value, 2.5, 3), one_value(0, value, 2.5, 3));
    int failed = 9, no = 9;
    pointed(N, value, &failed);
    pointed(0, value, &no);
    of_file(N, value);
    member(&r, value);
    printf("failed %d %d, noticed %d, moved %d\n", failed, no, noticed, r.moved);
    marks(N / 2, key);
    printf("marks %g\n", weigh(N, reached) + total(N, scattered));
    int sign = 0;
    two_marks(N, key, mark, &sign);
    printf("two marks %g %d\n", of_keys(N, mark), sign);
    clear(N, mark);
    printf("two values %d, place %d, counted %d, marked %d\n", two_values(N, value), place(N, value), counted(N, value), marked(N, key, mark));
    chased(N, key);
    across(N, key, bytes);
    all_again(5, M, r.rest);
    printf("chased %g, across %g, rest %g\n", of_keys(N, key), weigh(2 * N, bytes), r.rest[1]);
    return 0;
}

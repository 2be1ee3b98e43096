// set_under_flags: scalars that an iteration sets and reads where a flag says so, which the iteration has set, too; and some that it may not have set.
// sizes: -DN=29
#include <stdint.h>
#include <stdio.h>

#ifndef N
#define N 41
#endif

enum { M = 7 };

static int c[N], y[N], x[N], rows[N][M];

static void show(const char *name)
{
    uint64_t sum = 0;
    for (int i = 0; i < N; i++) // loop: parallel, reduction(+:sum)
        sum += (uint64_t)(x[i] + 64) * (uint64_t)(2 * i + 1);
    printf("%s: %016llx %d %d\n", name, (unsigned long long)sum, x[0], x[N - 1]);
}

void kernel_flag(int n)
{
    int t = 0;
    for (int i = 0; i < n; i++) { // loop: parallel, private(t)
        char ok = 0;
        if (c[i] > 1) {
            t = 2 * y[i];
            ok = 1;
        }
        x[i] = i;
        if (ok && t != 4)
            x[i] = t;
    }
}

// The flag says it by being 0.
void kernel_done(int n)
{
    int t = 0, left = 0;
    for (int i = 0; i < n; i++) { // loop: parallel, private(left), private(t)
        left = 1;
        if (c[i] == 3 || y[i] == 2) {
            t = y[i];
            left = 0;
        }
        if (left) {
            x[i] = 1;
            continue;
        }
        x[i] = t + left;
    }
}

// The first element of a row that fits, or none.
void kernel_search(int n)
{
    int t = 0;
    for (int i = 0; i < n; i++) { // loop: parallel, private(t)
        int found = -1;
        for (int j = 0; j < M; j++) // loop: sequential
            if (rows[i][j] == c[i]) {
                t = j * y[i];
                found = j;
                break;
            }
        if (found >= 0)
            x[i] = t + found;
        else
            x[i] = -1;
    }
}

// The last one, by a loop that goes on.
void kernel_last(int n)
{
    int t = 0;
    for (int i = 0; i < n; i++) { // loop: parallel, private(t)
        int state = 2, j = 0;
        while (j < M) { // loop: sequential
            if (rows[i][j] > 3 + c[i]) {
                t = j;
                state = 5;
            }
            j++;
        }
        x[i] = 2 != state ? t : state;
    }
}

// The flag is that of an earlier iteration, once it is set.
void kernel_flag_stays(int n)
{
    int t = 0, ok = 0;
    for (int i = 0; i < n; i++) { // loop: sequential, pair(+2 t = y[i], +7 t)
        if (c[i] > 2) {
            t = y[i];
            ok = 1;
        }
        x[i] = i;
        if (ok)
            x[i] = t;
    }
}

// The flag is set where the scalar is not.
void kernel_set_elsewhere(int n)
{
    int t = 0;
    for (int i = 0; i < n; i++) { // loop: sequential, pair(+3 t = y[i], +8 t)
        int ok = 0;
        if (c[i] > 1)
            t = y[i];
        if (c[i] > 0)
            ok = 1;
        x[i] = i;
        if (ok)
            x[i] = t;
    }
}

// 2 stands for an element that was found, 1 for one that was not.
void kernel_three_states(int n)
{
    int t = 0;
    for (int i = 0; i < n; i++) { // loop: sequential, pair(+5 t = y[i], +10 t)
        int state = 0;
        if (c[i] == 1)
            state = 1;
        if (c[i] == 2) {
            t = y[i];
            state = 2;
        }
        x[i] = state;
        if (state != 0)
            x[i] = t;
    }
}

// The same, and asked for the state in which it was set.
void kernel_one_of_three_states(int n)
{
    int t = 0;
    for (int i = 0; i < n; i++) { // loop: parallel, private(t)
        int state = 1;
        if (c[i] == 2) {
            t = y[i];
            state = 2;
        }
        if (c[i] == 3)
            state = 1;
        x[i] = state;
        if (state > 1)
            x[i] = t;
    }
}

// A loop inside sets the flag in one iteration, and reads the scalar in the next one.
void kernel_flag_of_the_loop_inside(int n)
{
    int t = 0;
    for (int i = 0; i < n; i++) { // loop: sequential, pair(+8 t = j + i, +5 t)
        int ok = 0;
        x[i] = 0;
        for (int j = 0; j < M; j++) { // loop: sequential, pair(+5 t = j + i, +2 t)
            if (ok)
                x[i] += t;
            ok = 1;
            if (rows[i][j] == 0)
                t = j + i;
        }
    }
}

// The flag is turned behind the reading.
void kernel_turned(int n)
{
    int t = 0;
    for (int i = 0; i < n; i++) { // loop: sequential, pair(+3 t = y[i], +8 t)
        int ok = 1;
        if (c[i] == 1) {
            t = y[i];
            ok = 0;
        }
        x[i] = i;
        if (ok)
            x[i] = t;
    }
}

int main(void)
{
    for (int i = 0; i < N; i++) { // loop: parallel
        c[i] = i % 4;
        y[i] = i * 5 % 11;
        x[i] = i;
        for (int j = 0; j < M; j++) // loop: parallel
            rows[i][j] = (3 * i + j * j) % 9;
    }
    kernel_flag(N);
    show("flag");
    kernel_done(N);
    show("done");
    kernel_search(N);
    show("search");
    kernel_last(N);
    show("last");
    kernel_flag_stays(N);
    show("stays");
    kernel_set_elsewhere(N);
    show("elsewhere");
    kernel_three_states(N);
    show("three states");
    kernel_one_of_three_states(N);
    show("one of three states");
    kernel_flag_of_the_loop_inside(N);
    show("loop inside");
    kernel_turned(N);
    show("turned");
    return 0;
}

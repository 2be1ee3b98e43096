// part of: at_exit_elsewhere.c
#include <stdlib.h>

#ifndef N
#define N 67
#endif

double at_exit_field[N];

void at_exit_run(int steps, int most)
{
    for (int t = 0; t < steps; t++) { // loop: sequential, pair(+2 at_exit_field[i], +2 at_exit_field[i]), because at_exit_field[i] is changed in every step
        for (int i = 0; i < N; i++) // loop: parallel
            at_exit_field[i] = t - at_exit_field[i];
        if (t == most)
            exit(0);
        for (int i = 0; i < N; i++) // loop: parallel
            at_exit_field[i] = 2 * t - at_exit_field[i];
    }
}

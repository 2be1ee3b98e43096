// Shows: a condition on addresses lets the loop run on the device only where its sections lie apart; once they do not.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

struct wave {
    double *height;
    int count, reach;
};

static void slope(struct wave *w, double *out)
{
    const long length = w->count > 0 ? (w->reach < 0 ? (long)w->count - w->reach : (long)w->count + w->reach) : 0;
    if (w->count > 0
        && ((uintptr_t)(w + 1) <= (uintptr_t)out || (uintptr_t)(out + w->count) <= (uintptr_t)w)
        && ((uintptr_t)(w->height + (w->reach < 0 ? w->reach : 0) + length) <= (uintptr_t)out
            || (uintptr_t)(out + w->count) <= (uintptr_t)(w->height + (w->reach < 0 ? w->reach : 0)))) {
        #pragma omp target teams distribute parallel for map(to: w[0:1], w->height[(w->reach < 0 ? w->reach : 0):length]) map(from: out[0:w->count])
        for (int i = 0; i < w->count; i++)
            out[i] = w->height[i] - w->height[i + w->reach];
    } else {
        for (int i = 0; i < w->count; i++)
            out[i] = w->height[i] - w->height[i + w->reach];
    }
}

int main(void)
{
    struct wave waves[2];
    double *out = calloc(60, sizeof *out);
    for (int k = 0; k < 2; k++) {
        waves[k].height = calloc(60, sizeof(double));
        waves[k].count = 23 - 2 * k;
        waves[k].reach = 9 + k;
        for (int i = 0; i < 60; i++)
            waves[k].height[i] = i * i % 31;
    }
    slope(waves, out);
    slope(waves, waves[0].height + 1);
    for (int i = 0; i < 60; i++)
        printf("%g %g\n", out[i], waves[0].height[i]);
    return 0;
}

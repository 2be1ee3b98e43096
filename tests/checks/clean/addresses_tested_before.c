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
    const int n = w->count, m = w->reach;
    const long first = m < 0 ? m : 0, length = n > 0 ? (m < 0 ? n - m : n + m) : 0;
    double *const h = w->height;
    if (n > 0 && ((uintptr_t)(h + first + length) <= (uintptr_t)out || (uintptr_t)(out + n) <= (uintptr_t)(h + first))) {
        #pragma omp target teams distribute parallel for map(to: h[first:length]) map(from: out[0:n])
        for (int i = 0; i < n; i++)
            out[i] = h[i] - h[i + m];
    } else {
        for (int i = 0; i < n; i++)
            out[i] = h[i] - h[i + m];
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

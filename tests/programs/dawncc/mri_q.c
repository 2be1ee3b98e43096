// mri_q: the shape of Parboil's MRI-Q, six arrays, three of them arrays of structures; polynomials stand for sine and cosine.
// sizes: -DSAMPLES=21 -DPOINTS=101
// variants: long split
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef SAMPLES
#define SAMPLES 37
#endif
#ifndef POINTS
#define POINTS 53
#endif

struct phase {
    float re, im;
};

struct sample {
    float kx, ky, kz, magnitude;
};

struct point {
    float x, y, z;
};

static float even_wave(float t)
{
    return 2.0f - t * t;
}

static float odd_wave(float t)
{
    return 3.0f * t;
}

void kernel_magnitude(int samples, struct phase *phi, struct sample *k)
{
    for (int s = 0; s < samples; s++) { // loop: parallel_if // stronger: parallel, with type-based aliasing of members
        float re = phi[s].re;
        float im = phi[s].im;
        k[s].magnitude = re * re + im * im;
    }
}

void kernel_q(int samples, int points, struct sample *k, struct point *p, float *scale, float *qr, float *qi)
{
    float arg;

    for (int i = 0; i < points; i++) { // loop: parallel_if, private(arg)
        float sum_r = 0.0f;
        float sum_i = 0.0f;
        for (int s = 0; s < samples; s++) { // loop: parallel, private(arg), reduction(+:sum_r), reduction(+:sum_i)
            arg = k[s].kx * p[i].x + k[s].ky * p[i].y + k[s].kz * p[i].z;
            sum_r += k[s].magnitude * even_wave(arg);
            sum_i += k[s].magnitude * odd_wave(arg);
        }
        qr[i] = scale[i] * sum_r;
        qi[i] = scale[i] * sum_i;
    }
}

static void show(const char *name, const float *a, int n)
{
    uint64_t sum = 0;
    for (int i = 0; i < n; i++) // loop: parallel, reduction(+:sum)
        sum += (uint64_t)(int64_t)(a[i] * 4096.0) * (uint64_t)(2 * i + 1);
    printf("%s: %016llx first %g middle %g last %g\n", name, (unsigned long long)sum, a[0], a[n / 2], a[n - 1]);
}

int main(void)
{
    struct phase *phi = malloc(SAMPLES * sizeof(struct phase));
    struct sample *k = malloc(SAMPLES * sizeof(struct sample));
    struct point *p = malloc(POINTS * sizeof(struct point));
    float *scale = malloc(POINTS * sizeof(float));
    float *qr = malloc(POINTS * sizeof(float));
    float *qi = malloc(POINTS * sizeof(float));
    if (!phi || !k || !p || !scale || !qr || !qi)
        return 1;

    for (int s = 0; s < SAMPLES; s++) { // loop: parallel
        phi[s].re = (float)(s % 3 - 1);
        phi[s].im = (float)(s % 4 - 2);
        k[s].kx = (float)(s % 5 - 2);
        k[s].ky = (float)(s % 3 - 1);
        k[s].kz = (float)(s % 7 - 3);
        k[s].magnitude = -100.0f;
    }
    for (int i = 0; i < POINTS; i++) { // loop: parallel
        p[i].x = (float)(i % 4 - 1);
        p[i].y = (float)(i % 5 - 2);
        p[i].z = (float)(i % 3 - 1);
        scale[i] = (float)(i % 2 + 1);
        qr[i] = -200.0f;
        qi[i] = -300.0f;
    }
    kernel_magnitude(SAMPLES, phi, k);
    kernel_q(SAMPLES, POINTS, k, p, scale, qr, qi);
    show("qr", qr, POINTS);
    show("qi", qi, POINTS);
    for (int s = 0; s < SAMPLES; s += 6) // loop: sequential, because printf
        printf("%g %g %g %g\n", k[s].kx, k[s].ky, k[s].kz, k[s].magnitude);

    /* No samples, no points, and the scale in the place of one result. */
    kernel_q(0, POINTS, k, p, scale, qr, qi);
    show("no samples", qr, POINTS);
    kernel_q(SAMPLES, 0, k, p, scale, qr, qi);
    show("no points", qr, POINTS);
    kernel_q(SAMPLES, POINTS, k, p, scale, scale, qi);
    show("scale", scale, POINTS);
    show("qi", qi, POINTS);
    for (int i = 0; i < POINTS; i++) // loop: parallel
        qr[i] = (float)(i % 3 - 1);
    kernel_q(SAMPLES, 5, k, p, qr, qr + 1, qi);
    show("shifted", qr, POINTS);

    free(phi);
    free(k);
    free(p);
    free(scale);
    free(qr);
    free(qi);
    return 0;
}

// picture: the length of a row and what is used of it are members of a structure.
// sizes: -DWIDTH=20 -DHEIGHT=33
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef WIDTH
#define WIDTH 11
#endif
#ifndef HEIGHT
#define HEIGHT 7
#endif

struct picture {
    int width, height, stride;
    float *pixels;
};

static void fill(float *v, int n, int step)
{
    for (int i = 0; i < n; i++) // loop: parallel
        v[i] = (float)((i * step + i / 16) % 11 - 5);
}

static void show(const char *name, const float *v, int n)
{
    uint64_t sum = 0;
    for (int i = 0; i < n; i++) // loop: parallel, reduction(+:sum)
        sum += (uint64_t)(int64_t)(v[i] * 4096) * (uint64_t)(2 * i + 1);
    printf("%s: %016llx first %g middle %g last %g\n", name, (unsigned long long)sum, v[0], v[n / 2], v[n - 1]);
}

void kernel_invert(struct picture *p)
{
    for (int y = 0; y < p->height; y++) // loop: parallel_if // p->stride >= p->width
        for (int x = 0; x < p->width; x++) // loop: parallel_if
            p->pixels[y * p->stride + x] = 1 - 2 * p->pixels[y * p->stride + x];
}

/* The pixels are another array. */
void kernel_scale(const struct picture *p, float *pixels)
{
    for (int y = 0; y < p->height; y++) // loop: parallel_if // p->stride >= p->width
        for (int x = 0; x < p->width; x++) // loop: parallel_if
            pixels[y * p->stride + x] = 4 * pixels[y * p->stride + x] + (float)(y - x);
}

static void all(int stride, const char *name)
{
    int n = (HEIGHT - 1) * stride + WIDTH;
    struct picture p = {WIDTH, HEIGHT, stride, malloc((size_t)n * sizeof(float))};
    float *other = malloc((size_t)n * sizeof(float));
    if (!p.pixels || !other)
        exit(1);
    fill(p.pixels, n, 3);
    fill(other, n, 5);
    kernel_invert(&p);
    show(name, p.pixels, n);
    kernel_scale(&p, other);
    show("another", other, n);
    p.height = 0;
    kernel_invert(&p);
    show("no rows", p.pixels, n);
    free(other);
    free(p.pixels);
}

int main(void)
{
    all(WIDTH + 3, "apart");
    all(WIDTH - 1, "overlapping");
    return 0;
}

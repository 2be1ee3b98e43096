// convolution: a filter over an image of three colours; images and filter are structures with their pixels behind a member.
// sizes: -DW=9 -DH=8 -DF_W=5 -DF_H=3
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef W
#define W 7
#endif
#ifndef H
#define H 5
#endif
#ifndef F_W
#define F_W 3
#endif
#ifndef F_H
#define F_H 3
#endif

typedef struct {
    int width, height;
    unsigned char *pixmap;
} image;

typedef struct {
    int width, height;
    int *pixmap;
} filter;

/* Sums do not fit a byte. */
typedef struct {
    int *sums;
    int width, height;
} sums;

/* Bytes may be part of any object, also of a structure with a pointer: it is read before. */
void kernel_bytes(const image *in, const filter *weights, image *out, int gain)
{
    const int w = in->width, h = in->height, f_w = weights->width, f_h = weights->height;
    const unsigned char *restrict from = in->pixmap;
    const int *restrict by = weights->pixmap;
    unsigned char *restrict to = out->pixmap;

    for (int y = 0; y < h; y++) { // loop: parallel_if
        for (int x = 0; x < w * 3; x += 3) { // loop: parallel_if
            unsigned char *out_row = &to[y * w * 3];
            int red = 0, green = 0, blue = 0;

            for (int fy = 0; fy < f_h; fy++) { // loop: parallel, reduction(+:red), reduction(+:green), reduction(+:blue)
                int py = y + fy - f_h / 2;

                for (int fx = 0; fx < f_w; fx++) { // loop: parallel, reduction(+:red), reduction(+:green), reduction(+:blue)
                    int px = x + 3 * (fx - f_w / 2);
                    int weight = by[fx + fy * f_w];

                    if (px >= 0 && px < w * 3 && py >= 0 && py < h) {
                        const unsigned char *in_row = &from[py * w * 3];

                        red += in_row[px + 0] * weight;
                        green += in_row[px + 1] * weight;
                        blue += in_row[px + 2] * weight;
                    }
                }
            }
            out_row[x + 0] = (unsigned char)(red * gain & 255);
            out_row[x + 1] = (unsigned char)(green * gain & 255);
            out_row[x + 2] = (unsigned char)(blue * gain & 255);
        }
    }
}

/* Through the members themselves: integers are no part of what is read, and pointers none of what is written. */
void kernel_sums(const image *in, const filter *weights, sums *out, int w, int h, int f_w, int f_h)
{
    for (int y = 0; y < h; y++) // loop: parallel_if
        for (int x = 0; x < w * 3; x += 3) { // loop: parallel_if
            const unsigned char *pixels = in->pixmap;
            const int *by = weights->pixmap;
            int red = 0, green = 0, blue = 0;

            for (int fy = 0; fy < f_h; fy++) // loop: parallel, reduction(+:red), reduction(+:green), reduction(+:blue)
                for (int fx = 0; fx < f_w; fx++) { // loop: parallel, reduction(+:red), reduction(+:green), reduction(+:blue)
                    int py = y + fy - f_h / 2;
                    int px = x + 3 * (fx - f_w / 2);
                    int weight = by[fx + fy * f_w];

                    if (px >= 0 && px < w * 3 && py >= 0 && py < h) {
                        red += pixels[py * w * 3 + px] * weight;
                        green += pixels[py * w * 3 + px + 1] * weight;
                        blue += pixels[py * w * 3 + px + 2] * weight;
                    }
                }
            out->sums[y * w * 3 + x] = red;
            out->sums[y * w * 3 + x + 1] = green;
            out->sums[y * w * 3 + x + 2] = blue;
        }
}

static void show(const char *name, const int *v, int n)
{
    uint64_t sum = 0;
    for (int i = 0; i < n; i++) // loop: parallel, reduction(+:sum)
        sum += (uint64_t)v[i] * (uint64_t)(2 * i + 1);
    printf("%s: %016llx first %d middle %d last %d\n", name, (unsigned long long)sum, v[0], v[n / 2], v[n - 1]);
}

static void show_image(const image *in)
{
    uint64_t sum = 0;
    int n = 3 * in->width * in->height;
    for (int i = 0; i < n; i++) // loop: parallel, reduction(+:sum)
        sum += (uint64_t)in->pixmap[i] * (uint64_t)(2 * i + 1);
    printf("image: %016llx first %d last %d\n", (unsigned long long)sum, in->pixmap[0], in->pixmap[n - 1]);
}

int main(void)
{
    image in = {W, H, malloc(3 * W * H)};
    image out = {W, H, malloc(3 * W * H)};
    filter weights = {F_W, F_H, malloc(F_W * F_H * sizeof(int))};
    int *by = weights.pixmap;
    sums result = {malloc(3 * W * H * sizeof(int)), W, H};

    for (int i = 0; i < 3 * W * H; i++) { // loop: sequential, because bytes may be part of the structures
        in.pixmap[i] = (unsigned char)((i * 7 + i / 16) % 251);
        out.pixmap[i] = 3;
    }
    for (int i = 0; i < F_W * F_H; i++) // loop: parallel_if
        weights.pixmap[i] = i % 3 - 1;
    kernel_bytes(&in, &weights, &out, 3);
    show_image(&out);
    kernel_sums(&in, &weights, &result, W, H, F_W, F_H);
    show("sums", result.sums, 3 * W * H);
    kernel_sums(NULL, NULL, NULL, W, 0, F_W, F_H);
    // Without a filter nothing of it is read.
    weights.pixmap = NULL;
    kernel_sums(&in, &weights, &result, W, H, 0, F_H);
    show("sums", result.sums, 3 * W * H);
    free(in.pixmap);
    free(out.pixmap);
    free(by);
    free(result.sums);
    return 0;
}

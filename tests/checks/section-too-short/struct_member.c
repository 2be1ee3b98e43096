// Shows: the section of the member is one row shorter than what the kernel reads.
#include <stdio.h>
#include <stdlib.h>

struct image {
    int width, height;
    int *pixel;
};

static int brightness(struct image *image)
{
    int w = image->width, h = image->height, sum = 0;
    int *pixel = image->pixel;
    #pragma omp target teams distribute parallel for collapse(2) map(to: pixel[0:w * (h - 1)]) \
        map(tofrom: sum) reduction(+: sum)
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++)
            sum += pixel[y * w + x]; // finds: section-too-short pixel
    return sum;
}

int main(void)
{
    struct image image = {30, 20, NULL};
    image.pixel = malloc(image.width * image.height * sizeof *image.pixel);
    for (int k = 0; k < image.width * image.height; k++)
        image.pixel[k] = k % 9;
    printf("%d\n", brightness(&image));
    free(image.pixel);
    return 0;
}

// Shows: the windows of two functions touch, but do not overlap.
#include <stdio.h>
#include <stdlib.h>

static int *series;

static void map_window(int start, int length)
{
    #pragma omp target enter data map(to: series[start:length])
}

static void unmap_window(int start, int length)
{
    #pragma omp target exit data map(from: series[start:length])
}

static void shift(int start, int length)
{
    int *window = series + start;
    #pragma omp target teams distribute parallel for
    for (int i = 0; i < length; i++)
        window[i] += 1000;
}

int main(void)
{
    int n = 120;
    series = malloc(n * sizeof *series);
    for (int i = 0; i < n; i++)
        series[i] = i;
    map_window(0, 60);
    map_window(60, 60);
    shift(0, 60);
    shift(60, 60);
    unmap_window(60, 60);
    unmap_window(0, 60);
    for (int i = 0; i < n; i++)
        printf("%d\n", series[i]);
    free(series);
    return 0;
}

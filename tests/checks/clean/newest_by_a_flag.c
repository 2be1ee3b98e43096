// Shows: a variable of the file says whether the device has the newest values.
#include <stdio.h>
#include <stdlib.h>
static double *buf; static int n = 25; static int newest_on_device;
static void sync(void) {
    if (newest_on_device) {
        #pragma omp target update from(buf[0:n])
        newest_on_device = 0;
    }
}
static void kernel(void) {
    #pragma omp target teams distribute parallel for
    for (int i = 0; i < n; i++) buf[i] += 1;
    newest_on_device = 1;
}
int main(void)
{
    buf = calloc(n, sizeof *buf);
    #pragma omp target enter data map(to: buf[0:n])
    for (int t = 0; t < 3; t++) kernel();
    sync();
    printf("%g\n", buf[n-1]);
    kernel(); sync(); sync();
    printf("%g\n", buf[0]);
    #pragma omp target exit data map(delete: buf[0:n])
    free(buf);
    return 0;
}

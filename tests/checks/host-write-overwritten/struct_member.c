// Shows: the host refills the start of the member while it is mapped; the exit brings the device's values over it.
#include <stdio.h>
#include <stdlib.h>

struct signal {
    int length;
    int *sample;
};

static void refill(struct signal *s)
{
    for (int i = 0; i < s->length / 4; i++)
        s->sample[i] = -50 - i;
}

int main(void)
{
    struct signal s = {88, NULL};
    s.sample = malloc(s.length * sizeof *s.sample);
    for (int i = 0; i < s.length; i++)
        s.sample[i] = i;
    int n = s.length, *sample = s.sample;
    #pragma omp target enter data map(to: sample[0:n])
    #pragma omp target teams distribute parallel for
    for (int i = 0; i < n; i++)
        sample[i] *= 2;
    refill(&s);
    #pragma omp target exit data map(from: sample[0:n])
    for (int i = 0; i < n; i++)
        printf("%d\n", sample[i]); // finds: host-write-overwritten sample
    free(s.sample);
    return 0;
}

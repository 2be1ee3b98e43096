// Shows: the buffer is copied in by one function, half written in another, and copied back in a third.
#include <stdio.h>
#include <stdlib.h>

static int *buffer, capacity;

static void open_buffer(void)
{
    #pragma omp target enter data map(to: buffer[0:capacity])
}

static void append(int from, int count)
{
    #pragma omp target teams distribute parallel for
    for (int i = from; i < from + count; i++)
        buffer[i] = i * 11;
}

static void close_buffer(void)
{
    #pragma omp target exit data map(from: buffer[0:capacity])
}

int main(void)
{
    capacity = 150;
    buffer = calloc(capacity, sizeof *buffer);
    open_buffer();
    append(0, 40);
    append(40, 30);
    close_buffer();
    for (int i = 0; i < capacity; i++)
        printf("%d\n", buffer[i]);
    free(buffer);
    return 0;
}

// Shows: functions of the C library write into arrays that are mapped; they release nothing.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
    int a[10], b[10];
    char word[16];
    for (int i = 0; i < 10; i++)
        a[i] = b[i] = i;
    #pragma omp target enter data map(to: a, b)
    if (sscanf("17", "%d", &b[3]) != 1)
        return 1;
    snprintf(word, sizeof word, "%d", a[2]);
    memset(a, 0, sizeof a);
    FILE *none = fopen("no such file", "r");
    if (none && fread(a, sizeof a[0], 10, none) == 10)
        puts("read");
    #pragma omp target update to(a, b)
    #pragma omp target map(tofrom: b)
    for (int i = 0; i < 10; i++)
        b[i] += a[i];
    #pragma omp target exit data map(from: b) map(delete: a)
    for (int i = 0; i < 10; i++)
        printf("%d %s\n", b[i], word);
    return 0;
}

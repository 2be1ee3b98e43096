// The device sets the first element, and each other one from the one before: nothing of what the host has is needed.
#include <stdio.h>

#define N 60

int main(void)
{
    double a[N], b[N], sum = 0;
    for (int i = 0; i < N; i++)
        a[i] = b[i] = i;
    #pragma omp target map(from: a, b)
    {
        a[0] = 1;
        for (int i = 1; i < N; i++)
            a[i] = a[i - 1] * 0.75;
        b[N - 1] = a[N - 1];
        for (int i = N - 2; i >= 0; i--)
            b[i] = b[i + 1] + 1;
    }
    for (int i = 0; i < N; i++)
        sum += a[i] + b[i];
    printf("%.6f\n", sum);
    return 0;
}

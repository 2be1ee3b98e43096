// The device sets the first element, and each other one from the one before: nothing of what the host has is needed.
#include <stdio.h>

static void powers(double *a, double *first, int n, int m)
{
    #pragma omp target map(from: a[0:n], first[0:m])
    {
        a[0] = 1;
        for (int i = 1; i < n; i++)
            a[i] = a[i - 1] * 0.75;
        first[m - 1] = a[n - 1];
        for (int i = m - 2; i >= 0; i--)
            first[i] = first[i + 1] + 1;
    }
}

int main(void)
{
    double a[60], first[30], sum = 0;
    powers(a, first, 60, 30);
    for (int i = 0; i < 60; i++)
        sum += a[i];
    for (int i = 0; i < 30; i++)
        sum += first[i];
    printf("%.6f\n", sum);
    return 0;
}

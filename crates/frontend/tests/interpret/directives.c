/* Directives do not change the sequential meaning. */
#include <stdio.h>
#ifdef _OPENMP
#include <omp.h>
#endif

int main(void) {
  double a[100], s = 0;
#pragma omp parallel for
  for (int i = 0; i < 100; i++) a[i] = i;
#pragma omp target teams distribute parallel for map(tofrom: a) reduction(+ : s)
  for (int i = 0; i < 100; i++) {
    a[i] *= 2;
    s += a[i];
  }
#pragma acc kernels
  {
    for (int i = 1; i < 100; i++) a[i] += a[i - 1];
  }
#pragma omp critical
  s += 1;
  printf("%g %g\n", s, a[99]);
  return 0;
}

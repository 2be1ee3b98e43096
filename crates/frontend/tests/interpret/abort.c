/* What is buffered is lost. */
#include <assert.h>
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv) {
  printf("flushed\n");
  fflush(stdout);
  printf("lost\n");
  (void)argv;
  assert(argc == 2 && "never");
  return 0;
}

/* string.h, stdlib.h, ctype.h. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int by_value(const void *a, const void *b) {
  int x = *(const int *)a, y = *(const int *)b;
  return (x > y) - (x < y);
}

struct pair {
  int key;
  char name[8];
};

static int by_key(const void *a, const void *b) { return ((const struct pair *)a)->key - ((const struct pair *)b)->key; }
static int by_text(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }
static void bye(void) { printf("bye\n"); }
static void bye2(void) { printf("first bye\n"); }

int main(int argc, char **argv) {
  char buffer[100] = "hello";
  printf("%d %d\n", argc, argv[argc] == NULL);
  printf("%zu %d %d %d\n", strlen(buffer), strcmp("a", "b") < 0, strcmp("b", "a") > 0, strcmp("x", "x"));
  strcat(buffer, ", world");
  printf("%s %s %s\n", buffer, strchr(buffer, 'w'), strrchr(buffer, 'o'));
  printf("%s %d\n", strstr(buffer, "lo"), strstr(buffer, "xyz") == NULL);
  strncpy(buffer, "abc", 10);
  printf("%s %d\n", buffer, buffer[9]);
  strncat(buffer, "defgh", 3);
  printf("%s %d %d\n", buffer, strncmp(buffer, "abcx", 3), strncmp(buffer, "abcx", 4) < 0);
  printf("%zu %zu\n", strspn("aabbc", "ab"), strcspn("hello", "l"));
  char text[] = "one two,three  four";
  for (char *t = strtok(text, " ,"); t; t = strtok(NULL, " ,")) printf("<%s>", t);
  putchar('\n');
  char *copy = strdup("duplicate");
  copy[0] = 'D';
  printf("%s\n", copy);
  free(copy);
  printf("%d %ld %g %d\n", atoi("  42x"), atol("-7"), atof("2.5e3"), atoi("junk"));
  char *end;
  printf("%ld", strtol("0x1fz", &end, 16));
  printf(" %s\n", end);
  printf("%ld %ld %lu\n", strtol("777", NULL, 8), strtol("0b", NULL, 0), strtoul("4294967295", NULL, 10));
  printf("%g", strtod("1.25abc", &end));
  printf(" %s\n", end);
  for (const char *p = "aZ5 _\n"; *p; p++)
    printf("%d%d%d%d%d%d%c", !!isalpha(*p), !!isdigit(*p), !!isspace(*p), !!isupper(*p), !!ispunct(*p), !!isprint(*p), toupper(*p));
  putchar('\n');
  int values[] = {5, -2, 9, 0, 5, 3, -8};
  qsort(values, 7, sizeof *values, by_value);
  for (int i = 0; i < 7; i++) printf("%d ", values[i]);
  int key = 9;
  int *found = bsearch(&key, values, 7, sizeof *values, by_value);
  printf("%d\n", (int)(found - values));
  struct pair pairs[] = {{2, "b"}, {1, "a"}, {2, "c"}, {0, "z"}, {1, "y"}, {2, "a"}};
  qsort(pairs, 6, sizeof *pairs, by_key);
  for (int i = 0; i < 6; i++) printf("%d%s ", pairs[i].key, pairs[i].name);
  putchar('\n');
  char *words[] = {"pear", "apple", "fig"};
  qsort(words, 3, sizeof *words, by_text);
  printf("%s %s %s\n", words[0], words[1], words[2]);
  int *heap = calloc(4, sizeof *heap);
  heap[3] = 7;
  heap = realloc(heap, 8 * sizeof *heap);
  heap[7] = 1;
  printf("%d %d\n", heap[0], heap[3] + heap[7]);
  memmove(heap + 1, heap, 4 * sizeof *heap);
  printf("%d\n", heap[4]);
  memset(heap, 0xff, 8);
  printf("%d %d\n", heap[0], memcmp(heap, heap + 1, 4));
  free(heap);
  free(NULL);
  srand(7);
  for (int i = 0; i < 40; i++) printf("%d ", rand() % 1000);
  putchar('\n');
  printf("%d\n", getenv("THIS_IS_NOT_SET") == NULL);
  srand48(3);
  printf("%.12f", drand48());
  printf(" %ld\n", lrand48());
  char *p = buffer, *q = "walk";
  while ((*p++ = *q++) != 0)
    ;
  printf("%s %d\n", buffer, (int)(p - buffer));
  atexit(bye);
  atexit(bye2);
  exit(3);
}

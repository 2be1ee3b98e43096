// Shows: the list is copied into an array, which is mapped.
#include <stdio.h>
#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};

int main(void)
{
    enum { LENGTH = 6 };
    int sum = 0;
    struct node *head = NULL;
    for (int i = 0; i < LENGTH; i++) {
        struct node *node = malloc(sizeof *node);
        node->value = i * i;
        node->next = head;
        head = node;
    }
    int values[LENGTH], count = 0;
    for (struct node *node = head; node; node = node->next)
        values[count++] = node->value;
    #pragma omp target map(to: values) map(tofrom: sum)
    for (int i = 0; i < count; i++)
        sum += values[i];
    printf("%d\n", sum);
    while (head) {
        struct node *next = head->next;
        free(head);
        head = next;
    }
    return 0;
}

// Shows: the list's first node is mapped; its next nodes are on the host.
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
    #pragma omp target map(to: head[0:1]) map(tofrom: sum)
    for (struct node *node = head; node; node = node->next)
        sum += node->value; // finds: not-on-the-device node
    printf("%d\n", sum);
    while (head) {
        struct node *next = head->next;
        free(head);
        head = next;
    }
    return 0;
}

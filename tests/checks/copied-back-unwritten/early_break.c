// Shows: the search stops at the first hit; places behind it come back unwritten.
#include <stdio.h>

enum { LENGTH = 100 };

int main(void)
{
    int text[LENGTH], places[LENGTH];
    for (int i = 0; i < LENGTH; i++) {
        text[i] = i * 7 % 50;
        places[i] = -1;
    }
    #pragma omp target map(to: text) map(from: places)
    for (int i = 0; i < LENGTH; i++) {
        places[i] = 2 * i;
        if (text[i] == 42)
            break;
    }
    for (int i = 0; i < LENGTH; i++)
        printf("%d\n", places[i]); // finds: copied-back-unwritten places
    return 0;
}

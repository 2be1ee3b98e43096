/* Loops of every kind of dependence; the test knows what the trace must say about each. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct pair {
    int first;
    double second;
};

static int table[64];
static int total;
static struct pair pairs[16];

static int bump(int *counter) {
    int local = *counter;
    *counter = local + 1;
    return local;
}

int main(void) {
    int n = 40, i, t, last = 0, sum = 0;
    int *a = malloc(n * sizeof *a), *b = malloc(n * sizeof *b); // blocks
    int small[7] = {0};
    unsigned char bytes[50];
    for (int k = 0; k < n; k++) a[k] = b[k] = k; // clean
    for (int k = 3; k < n; k++) // flow 3
        a[k] = a[k - 3] + 1;
    for (int k = 0; k < n - 1; k++) b[k] = b[k + 1]; // anti
    for (int k = 0; k < n; k++) small[k % 7] = k; // output
    for (i = 0; i < n; i++) { // scalars
        t = 2 * a[i];
        b[i] = t;
        sum += t;
        last = t;
    }
    for (int k = 0; k < n; k++) { // used
        sum += a[k];
        b[k] = sum;
    }
    for (int k = 0; k < 5; k++) { // outer
        for (int m = 1; m < 6; m++) // inner
            table[8 * k + m] = table[8 * k + m - 1] + 1;
    }
    for (int k = 0; k < 5; k++) { // again
        for (int m = 0; m < 7; m++) // each
            small[m] = small[m] + k;
    }
    for (int k = 0; k < n; k++) total += bump(&sum); // calls
    for (int k = 0; k < 15; k++) pairs[k + 1] = pairs[k]; // structs
    for (int k = 0; k < 49; k++) bytes[k] = (unsigned char)k; // bytes
    for (int k = 0; k < 10; k++) memcpy(bytes + 2 * k, bytes + 2 * k + 20, 4); // library
    for (int k = 0; k < n; k++) // bound
        if (k == 30) n = 35;
    t = 30;
    do { // until
        t--;
    } while (t > 0);
    printf("%d %d %d %d %d %d %d\n", a[5], b[6], sum, last, total, bytes[3], small[2] + pairs[3].first);
    return 0;
}

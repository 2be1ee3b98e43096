// ordered: updates that no atomic directive makes independent: the old value is used, another statement reads, operations differ.
// sizes: -DN=211
#include <stdint.h>
#include <stdio.h>

#ifndef N
#define N 97
#endif

static int keys[N], ranks[N], sums[N], table[16], other[16], places[16], chain[16], mixed[16], masked[16], wide[32];

static void show(const char *name, const int *v, int n)
{
    uint64_t sum = 0;
    for (int i = 0; i < n; i++) // loop: parallel, reduction(+:sum)
        sum += (uint64_t)v[i] * (uint64_t)(2 * i + 1);
    printf("%s: %016llx first %d middle %d last %d\n", name, (unsigned long long)sum, v[0], v[n / 2], v[n - 1]);
}

void kernel_rank(int n)
{
    for (int i = 0; i < n; i++) // loop: sequential, pair(+1 table[keys[i] & 15], +1 table[keys[i] & 15]), because ranks[i] is how many came before
        ranks[i] = table[keys[i] & 15]++;
}

void kernel_new_value(int n)
{
    for (int i = 0; i < n; i++) // loop: sequential, pair(+1 other[keys[i] & 15], +1 other[keys[i] & 15]), because sums[i] is the sum so far
        sums[i] = other[keys[i] & 15] += i;
}

void kernel_read(int n)
{
    for (int i = 0; i < n; i++) { // loop: sequential, pair(+1 wide[keys[i] & 15], +1 wide[keys[i] & 15]), because an element is read before others have added to it
        wide[keys[i] & 15] += 3;
        sums[i] += wide[i & 7];
    }
}

void kernel_chain(int n)
{
    for (int i = 0; i < n; i++) // loop: sequential, pair(+1 chain[chain[keys[i] & 15] & 15], +1 chain[keys[i] & 15]), because the element that is updated is found in the same array
        chain[chain[keys[i] & 15] & 15] += 1;
}

void kernel_other_element(int n)
{
    for (int i = 0; i < n; i++) // loop: sequential, pair(+1 places[keys[i] & 15], +1 places[keys[i] & 15]), because what is added is an element of the same array
        places[keys[i] & 15] += places[i & 15] & 3;
}

void kernel_mixed(int n)
{
    for (int i = 0; i < n; i++) { // loop: sequential, pair(+1 mixed[keys[i] & 15], +1 mixed[keys[i] & 15]), because sums and products do not commute
        mixed[keys[i] & 15] += 1;
        mixed[(keys[i] + 1) & 15] *= -1;
    }
}

void kernel_shifted(int n)
{
    for (int i = 0; i < n; i++) { // loop: sequential, pair(+1 masked[keys[i] & 15], +1 masked[keys[i] & 15]), because & and | do not commute
        masked[keys[i] & 15] |= 1 << (i % 5);
        masked[keys[i] & 15] &= ~(1 << (i % 3));
    }
}

void kernel_subtracted(int n)
{
    for (int i = 0; i < n; i++) // loop: sequential, pair(+1 other[keys[i] & 15], +1 other[keys[i] & 15]), because what is subtracted from is not the old value
        other[keys[i] & 15] = i - other[keys[i] & 15];
}

int main(void)
{
    for (int i = 0; i < N; i++) { // loop: parallel
        keys[i] = i * 7 + i / 3;
        sums[i] = i;
    }
    for (int i = 0; i < 16; i++) { // loop: parallel
        chain[i] = i * 5;
        places[i] = i;
        mixed[i] = i + 2;
        masked[i] = i;
    }
    kernel_rank(N);
    kernel_new_value(N);
    kernel_read(N);
    kernel_chain(N);
    kernel_other_element(N);
    kernel_mixed(N);
    kernel_shifted(N);
    kernel_subtracted(N);
    show("ranks", ranks, N);
    show("sums", sums, N);
    show("table", table, 16);
    show("other", other, 16);
    show("wide", wide, 32);
    show("chain", chain, 16);
    show("places", places, 16);
    show("mixed", mixed, 16);
    show("masked", masked, 16);
    return 0;
}

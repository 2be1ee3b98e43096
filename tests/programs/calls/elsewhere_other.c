// part of: elsewhere.c
struct sample {
    int at;
    int first;
    int span;
    int kept[4];
};

int limit;

static int scale = 5;
static int calls;
static int table[4] = {3, 1, 4, 2};

int depth_from_here(int x);

static int mixed(int x)
{
    return x + scale;
}

int weigh(int x)
{
    return x > 0 ? mixed(x) : -x;
}

int counted(int x)
{
    calls += x;
    return calls;
}

int *lent(void)
{
    return table;
}

int looked_up(int x)
{
    return table[x & 3];
}

int depth_of(int x)
{
    return x > 0 ? 1 + depth_from_here(x - 1) : 0;
}

void set_limit(int x)
{
    limit = x;
}

int value_of(const struct sample *s)
{
    return (s->at - s->first) / s->span;
}

int total(const struct sample *s)
{
    int sum = 0;
    for (int k = 0; k < 4; k++) // loop: parallel, reduction(+:sum)
        sum += s->kept[k];
    return sum;
}

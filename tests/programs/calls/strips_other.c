// part of: strips.c

struct strip {
    int n;
    double *from;
    double *to;
};

extern double strip_weight;
double strip_here(double x);

static const double table[4] = {1, 3, 5, 7};
static const double half = 0.5; /* something else in the other file */
static int calls;
static int kept;

void strip_halve(struct strip *s);
void strip_weigh(struct strip *s);
void strip_add(struct strip s, double shift);
void strip_next(struct strip *s);
double strip_sum(const struct strip *s);
double strip_table(int k);
void strip_counted(struct strip *s);
void strip_set(int x);
int strip_get(void);

/* One of this name is in the other file, too. */
static void fill(struct strip *s, double factor)
{
    for (int i = 0; i < s->n; i++) // loop: parallel_if
        s->to[i] = s->from[i] * factor;
}

void strip_halve(struct strip *s)
{
    fill(s, s->n > 0 ? half : (double)sizeof("no strip"));
}

void strip_weigh(struct strip *s)
{
    fill(s, strip_weight);
}

void strip_add(struct strip s, double shift)
{
    for (int i = 0; i < s.n; i++) // loop: parallel_if
        s.to[i] = strip_here(s.from[i]) + shift;
}

void strip_next(struct strip *s)
{
    s->from += s->n;
    s->to += s->n;
}

double strip_sum(const struct strip *s)
{
    double sum = 0;
    for (int i = 0; i < s->n; i++) // loop: parallel, reduction(+:sum)
        sum += s->from[i];
    return sum;
}

double strip_table(int k)
{
    return table[k & 3];
}

void strip_counted(struct strip *s)
{
    calls++;
    for (int i = 0; i < s->n; i++) // loop: parallel_if
        s->to[i] = s->from[i] + calls;
}

void strip_set(int x)
{
    kept = x;
}

int strip_get(void)
{
    int k = kept;
again:
    if (k > 3) {
        k -= 2;
        goto again;
    }
    return k;
}

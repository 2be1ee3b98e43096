// Members of a structure are mapped one by one; the host changes one of them, and another kernel reads it.
#include <stdio.h>

#define N 40

struct model {
    double rate[4];
    int shift;
    int steps;
    const char *name;
};

static void scale(struct model *model, double *v)
{
#pragma omp target map(tofrom: v[0:N])
    {
        for (int i = 0; i < N; i++)
            v[i] = v[i] * model->rate[i % 4] + model->shift; // finds: stale-device-read model->rate
    }
}

int main(void)
{
    struct model model = {{1, 2, 3, 4}, 5, 3, "growth"};
    double v[N];
    for (int i = 0; i < N; i++)
        v[i] = i % 7;
#pragma omp target enter data map(to: model.rate, model.shift)
    scale(&model, v);
    for (int k = 0; k < 4; k++)
        model.rate[k] += model.steps;
    scale(&model, v);
#pragma omp target exit data map(release: model.rate, model.shift)
    double sum = 0;
    for (int i = 0; i < N; i++)
        sum += v[i];
    printf("%s %d %.0f\n", model.name, model.steps, sum);
    return 0;
}

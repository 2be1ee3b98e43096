// part of: fdtd_2d_unknown.c

void watch(float *array);
int should_compute_y(int i);

static float *watched;
static int visits;

void watch(float *array)
{
    watched = array;
    visits = 0;
}

int should_compute_y(int i)
{
    visits = visits + 1;
    watched[visits] = watched[visits - 1] + 1.0f;
    return i % 3 != 1;
}

/* The slow, obviously right versions. */

void scale_c(float *data, unsigned n, float by)
{
    for (unsigned i = 0; i < n; i++)
        data[i] *= by;
}

void twice_c(float *data, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        data[i] += data[i];
}

unsigned total_c(const unsigned *data, unsigned n)
{
    unsigned total = 0;
    for (unsigned i = 0; i < n; i++)
        total += data[i];
    return total;
}

void reverse_c(const unsigned char *from, unsigned char *to, unsigned n)
{
    unsigned char copy[256];
    for (unsigned i = 0; i < n; i++)
        copy[i] = from[i];
    for (unsigned i = 0; i < n; i++)
        to[n - 1 - i] = copy[i];
}

/* Points through a matrix of four columns, three words out; `w` is the bits of a float. The sums run from left to right:
   the SH4's FTRV adds all four products at once, so single bits differ. */
void transform_c(const float *matrix, const float *src, float *dst, unsigned n, unsigned stride_bytes, unsigned w)
{
    unsigned stride = stride_bytes / 4;
    union { unsigned bits; float value; } one = { w };
    for (unsigned i = 0; i < n; i++)
        for (unsigned row = 0; row < 4; row++)
            dst[4 * i + row] = matrix[row] * src[stride * i] + matrix[4 + row] * src[stride * i + 1] +
                               matrix[8 + row] * src[stride * i + 2] + matrix[12 + row] * one.value;
}

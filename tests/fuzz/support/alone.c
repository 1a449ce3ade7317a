void *supply(size_t count, size_t element)
{
    void *values = calloc(count + 1, element);
    if (values == NULL)
        abort();
    return values;
}

void release(void *values)
{
    free(values);
}

/* Every element as its bytes, last byte first. */
void show(const char *name, const void *values, size_t count, size_t element)
{
    const unsigned char *byte = values;
    for (size_t place = 0; place < count; place++) {
        printf("%s[%zu] ", name, place);
        for (size_t i = element; i-- > 0;)
            printf("%02x", byte[place * element + i]);
        printf("\n");
    }
}

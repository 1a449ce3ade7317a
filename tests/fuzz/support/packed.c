/* Runs one of several programs in two versions, and compares all that they show.
 *
 *     packed PROGRAM N M [N M]...
 *
 * With ONLY_ORIGINALS it runs the originals alone.
 *
 * Prints where they differ first, and how many calls of regions were left to the host.
 * Exit status: 0 if all is equal, 1 if not. */
#include "support.h"
#include "packed.h"

#define MARGIN 64

static struct {
    unsigned char *bytes;
    size_t size;
} shown[64];

static size_t last, next;
static int recording, n, m, differ;
int left_to_host;

/* The margins are shown as well. */
void *supply(size_t count, size_t element)
{
    size_t size = count * element;
    unsigned char *memory = malloc(sizeof size + 8 + size + 2 * MARGIN);
    if (memory == NULL)
        abort();
    memcpy(memory, &size, sizeof size);
    memset(memory + 16, 0xa5, size + 2 * MARGIN);
    return memory + 16 + MARGIN;
}

void release(void *values)
{
    unsigned char *memory = (unsigned char *)values - MARGIN - 16;
    size_t size;
    memcpy(&size, memory, sizeof size);
    show("the margin below", memory + 16, MARGIN, 1);
    show("the margin above", memory + 16 + MARGIN + size, MARGIN, 1);
    free(memory);
}

static void compare(const char *name, const unsigned char *bytes, size_t size, size_t element)
{
    if (next == last || size != shown[next].size) {
        printf("differs: n = %d, m = %d: %s has another size\n", n, m, name);
        exit(1);
    }
    const unsigned char *expected = shown[next++].bytes;
    if (differ || memcmp(bytes, expected, size) == 0)
        return;
    size_t place = 0;
    while (bytes[place] == expected[place])
        place++;
    printf("differs: n = %d, m = %d: element %zu of %s\n", n, m, place / element, name);
    differ = 1;
}

void show(const char *name, const void *values, size_t count, size_t element)
{
    size_t size = count * element;
    if (!recording) {
        compare(name, values, size, element);
        return;
    }
    if (last == 64)
        abort();
    shown[last].bytes = malloc(size + 1);
    shown[last].size = size;
    memcpy(shown[last].bytes, values, size);
    last++;
}

static void run(const struct program *programs, int number)
{
    for (; programs->run != NULL; programs++)
        if (programs->number == number) {
            programs->run(n, m);
            return;
        }
    abort();
}

int main(int argc, char **argv)
{
    int number = atoi(argv[1]);
    for (int i = 2; i + 1 < argc && !differ; i += 2) {
        n = atoi(argv[i]);
        m = atoi(argv[i + 1]);
        last = next = 0;
        recording = 1;
        run(originals, number);
#ifndef ONLY_ORIGINALS
        recording = 0;
        run(translations, number);
#endif
        while (last > 0)
            free(shown[--last].bytes);
    }
    printf("left to the host: %d\n", left_to_host);
    return differ;
}

/* Constants that come from a library's header, and from a flag, and are others for clang. */
#include <stdio.h>
#include <lanes.h>

int main(void)
{
    static int r[64], s[8];
    int how = modern, kind = KIND;
#pragma scop
    for (int i = 0; i < 64; i += LANES)
        r[i] = i + 1;
    for (int i = 0; i < how; i++)
        s[i] = 10 * VERSION + kind;
#pragma endscop
    for (int i = 0; i < 64; i++)
        printf("%d ", r[i]);
    for (int i = 0; i < 8; i++)
        printf("%d ", s[i]);
    printf("\n");
    return 0;
}

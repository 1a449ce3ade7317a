/* `printf` writes into memory that lies between what the regions use. */
#include <stdio.h>

static char m[48];

int main(void)
{
    setvbuf(stdout, m + 16, _IOFBF, 16);
    for (int t = 0; t < 3; t++) {
#pragma scop
        for (int i = 0; i < 16; i++) {
            m[i] += 1;
            m[i + 32] += 1;
        }
#pragma endscop
        printf("step %d\n", t);
    }
    return 0;
}

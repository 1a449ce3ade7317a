// Variables of enumerations in a region are the translation's own, and numbers to it.
enum Level { LOW, HIGH };

void levels(int n, double a[100], Level *__restrict__ levels)
{
#pragma scop
    for (int i = 0; i < 100; i++) {
        Level level = LOW;
        for (int j = 0; j < n; j++)
            if (a[j] > 3)
                level = HIGH;
        levels[i] = level;
    }
#pragma endscop
}

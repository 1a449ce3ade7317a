#pragma scop
double table[16];
#pragma endscop

double first(void) { return table[0]; }

void palindrome(int n, int *same, const char *s)
{
#pragma scop
    for (int i = 0, j = n - 1; i < j; i++, j--)
        same[i] = s[i] == s[j];
#pragma endscop
}

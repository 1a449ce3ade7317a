int search(int n, const int *a, int key)
{
    int low = 0, high = n;
#pragma scop
    while (low < high) {
        int middle = (low + high) / 2;
        if (a[middle] < key)
            low = middle + 1;
        else
            high = middle;
    }
#pragma endscop
    return low;
}

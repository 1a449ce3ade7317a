struct edge { int to; double weight; };
struct node { struct edge edges[4]; };

void reset(int n, struct node *nodes)
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < 4; j++)
            nodes[i].edges[j].weight = 0.0;
#pragma endscop
}

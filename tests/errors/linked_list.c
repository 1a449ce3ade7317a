struct list { struct list *next; double value; };

void increment(struct list *head)
{
#pragma scop
    for (struct list *l = head; l; l = l->next)
        l->value += 1.0;
#pragma endscop
}

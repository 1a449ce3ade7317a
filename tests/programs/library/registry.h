// A library's header, found by `-isystem`: objects that others know, and another name for an array.
struct Counter {
    int n;
    static Counter *last;
    Counter() { last = this; }
};
inline Counter *Counter::last;

extern double table[64];
extern double again[64] asm("table");

typedef long __attribute__((may_alias)) words;

#define HERE(x) ((x) + __LINE__)

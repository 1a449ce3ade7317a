//! Accesses that do not happen: memory that C does not touch is not touched.

use chain_tests::{Scratch, driver, gcc};

const PROGRAM: &str = r#"#include <stdio.h>
#include <stdlib.h>

static const int constants[64] = { 4, 5, 6 };

/* The pointers are null where nothing is chosen. */
static void gathered(int n, const int *chosen, const double a[n], const int place[n], double *sums, double last[n])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        double sum = 1;
        for (int k = 0; k < chosen[i]; k++)
            sum += a[place[i]];
        sums[i] = sum;
        if (chosen[i])
            last[i] = sum;
    }
#pragma endscop
}

/* What is read may be constant, and is not written then. */
static int limited(int n, int *numbers, int limit)
{
    int sum = 0;
#pragma scop
    for (int i = 0; i < n; i++) {
        sum += numbers[i];
        if (numbers[i] > limit)
            numbers[i] = limit;
    }
#pragma endscop
    return sum;
}

static int upper(int n, char *text)
{
    int sum = 0;
#pragma scop
    for (int i = 0; i < n; i++) {
        sum += text[i];
        if (text[i] >= 'a')
            text[i] -= 32;
    }
#pragma endscop
    return sum;
}

/* There are m elements, and n where one is chosen. */
static void some(int n, int m, const int *chosen, int *a)
{
#pragma scop
    for (int i = 0; i < m; i++)
        a[i] += i;
    for (int i = 0; i < n; i++)
        if (chosen[i])
            a[i] *= 3;
#pragma endscop
}

/* There are m elements that are certainly written, unless m is 0. */
static void set(int n, int m, const int *chosen, double *a, double *last)
{
#pragma scop
    for (int i = 0; i < m; i++)
        a[i] = i;
    for (int i = 0; i < n; i++)
        if (chosen[i])
            a[i] *= 2;
    if (n > 0)
        *last = a[0];
#pragma endscop
}

struct set {
    int n, on;
    double *values;
};

/* Where on and count are 0, s leads nowhere; t is asked for the same. */
static void members(const struct set *s, const struct set *t, int on, int count, double *a)
{
#pragma scop
    if (on) {
        for (int i = 0; i < s->n; i++) {
            a[i] += i;
            if (t->on == 1)
                a[i] *= t->n;
        }
    }
    for (int i = 0; i < count; i++)
        s->values[i] -= i;
#pragma endscop
}

int main(void)
{
    static int chosen[500000], numbers[64];
    double sums[100], a[100], last[100] = { 0 };
    int place[100], *nothing = chosen[0] ? place : NULL;

    gathered(100, chosen, (double *)nothing, nothing, sums, (double *)nothing);
    some(500000, 0, chosen, nothing);
    some(500000, 64, chosen, numbers);
    some(0, 0, nothing, nothing);
    set(0, 0, nothing, (double *)nothing, (double *)nothing);
    printf("%g %d\n", sums[99], numbers[63]);
    for (int i = 0; i < 100; i++) {
        chosen[i] = i % 3;
        place[i] = 99 - i;
        a[i] = i * 0.5;
    }
    gathered(100, chosen, a, place, sums, last);
    some(64, 64, chosen, numbers);
    printf("%g %g %d\n", sums[98], last[97], numbers[62]);
    printf("%d %d ", limited(64, (int *)constants, 6), limited(64, numbers, 50));
    const struct set nowhere = { -1, 0, 0 }, both = { 40, 1, a + 50 }, *const wrong = (const struct set *)8;
    members(wrong, wrong, 0, -3, a);
    members(&nowhere, wrong, 1, 0, a);
    members(&both, &both, 0, 50, a);
    members(&both, &both, -7, 50, a);
    printf("%g %g\n", a[30], a[80]);
    char text[] = "constant";
    printf("%d %d ", upper(8, "CONSTANT"), upper(8, text));
    printf("%d %s\n", numbers[62], text);
    return 0;
}
"#;

#[test]
fn memory_that_c_leaves_alone_is_left_alone() {
    let scratch = Scratch::new("possible");
    let source = scratch.write("possible.c", PROGRAM);
    let program = scratch.path().join("possible");
    gcc().arg("-w").arg(&source).arg("-o").arg(&program).run().succeeded();
    let expected = chain_tests::Call::new(&program).run().succeeded().stdout;
    for mode in [["--run", "--on", "cpu"], ["--run", "--on", "check"], ["--verify", "--on", "cpu"]] {
        let outcome = driver().args(mode).arg(&source).run().succeeded();
        assert_eq!(outcome.stdout, expected, "{mode:?}: {}", outcome.stderr);
    }
}

/// The object that a reference is bound to exists, and so do the members of `*this`, whatever conditions on data say.
#[test]
fn objects_of_references_exist() {
    let text = "#include <cstdio>
struct two { int n; long of_nine; };
static void count(const int *x, int n, int &hits, two &both)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        if (x[i] > 3)
            hits++;
        if (x[i] > 5)
            both.n++;
    }
#pragma endscop
}
struct counter {
    int n = 0;
    void count(const int *x, int m)
    {
#pragma scop
        for (int i = 0; i < m; i++)
            if (x[i] > 3)
                n++;
#pragma endscop
    }
};
int main()
{
    static int x[100];
    for (int i = 0; i < 100; i++)
        x[i] = i % 9;
    int hits = 0;
    two both = {0, 0};
    counter c;
    count(x, 100, hits, both);
    c.count(x, 99);
    std::printf(\"%d %d %d\\n\", hits, both.n, c.n);
}
";
    let scratch = Scratch::new("references");
    scratch.write("references.cpp", text);
    let call = driver().args(["-q", "--run", "--on", "check", "references.cpp"]).within(scratch.path());
    assert_eq!(call.run().succeeded().stdout, "55 33 55\n");
}

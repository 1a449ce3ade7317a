//! Memory that the device holds between regions: tests of the functions that generated programs contain for it.

use chain_tests::{Call, Scratch, driver, root};

const TWO_REGIONS: &str = "void twice(int n, double *restrict a)
{
#pragma scop
    for (int i = 0; i < n; i++)
        a[i] += 1.0;
#pragma endscop
#pragma scop
    for (int i = 0; i < n; i++)
        a[i] *= 2.0;
#pragma endscop
}
";

/// The functions that the programs below call.
const HELPERS: &str = "#include \"twice_gpu.cu\"
#include <cstdio>

static void put(const double *place, double value)
{
    cuda_check(cudaMemcpy(cuda_residency_memory(place), &value, sizeof value, cudaMemcpyHostToDevice));
}

static void set(const double *place, double value)
{
    cuda_residency_needs(place);
    put(place, value);
}

static double get(const double *place)
{
    double value;
    cuda_check(cudaMemcpy(&value, cuda_residency_memory(place), sizeof value, cudaMemcpyDeviceToHost));
    return value;
}

#define expect(condition) ((condition) ? (void)0 : (void)printf(\"line %d: %s\\n\", __LINE__, #condition))

";

/// A region need not have used an array that it reserved. If the next region sets a part of it, the rest keeps the
/// values of the host.
#[test]
fn a_part_of_memory_without_values_is_set() {
    let main = "
    double a[8] = {0, 1, 2, 3, 4, 5, 6, 7}, part[3] = {10, 11, 12};
    cuda_residency_reserve(0, a, sizeof a);
    cuda_residency_done();
    cuda_residency_reserve(0, a + 2, sizeof part);
    cuda_check(cudaMemcpy(cuda_residency_memory(a + 2), part, sizeof part, cudaMemcpyHostToDevice));
    cuda_residency_wrote(a + 2, 0);
    cuda_residency_done();
    cuda_residency_end(0);
    for (double value : a)
        printf(\"%g \", value);
";
    assert_eq!(printed_by("part", main), "0 1 10 11 12 5 6 7 ");
}

/// Each block of the program starts with nothing on the device. Expectations that fail are printed.
#[test]
fn pieces_of_memory_come_and_go() {
    let main = r#"
    {   // Neighbours are pieces of their own, and leave at the ends of their residencies.
        double a[8] = {};
        cuda_residency_reserve(0, a, 4 * sizeof *a);
        cuda_residency_reserve(1, a + 4, 4 * sizeof *a);
        expect(cuda_pieces.size() == 2);
        set(a, 1), set(a + 4, 2);
        cuda_residency_wrote(a, 0), cuda_residency_wrote(a + 4, 1);
        cuda_residency_end(0);
        expect(cuda_pieces.size() == 1 && a[0] == 1 && a[4] == 0);
        cuda_residency_end(1);
        expect(cuda_pieces.empty() && a[4] == 2);
    }
    {   // What the host needs at the end of another residency comes home there, and stays.
        double a[8] = {};
        cuda_residency_reserve(0, a, sizeof a);
        set(a, 1);
        cuda_residency_wrote(a, 1);
        expect(a[0] == 0);
        cuda_residency_end(1);
        expect(cuda_pieces.size() == 1 && a[0] == 1);
        cuda_residency_end(0);
        expect(cuda_pieces.empty());
    }
    {   // What is needed at the ends of two residencies comes home at once, as does what is needed behind the region.
        double a[8] = {};
        cuda_residency_reserve(0, a, sizeof a);
        set(a, 1);
        cuda_residency_wrote(a, 1);
        set(a, 2);
        cuda_residency_wrote(a, 0);
        expect(a[0] == 2);
        set(a, 3);
        cuda_residency_wrote(a, -1);
        expect(a[0] == 3);
        cuda_residency_end(-1);
    }
    for (int residency = 0; residency < 2; residency++) {   // What two residencies use leaves at the end of either.
        double a[8] = {};
        cuda_residency_reserve(0, a, sizeof a);
        cuda_residency_done();
        cuda_residency_reserve(1, a + 2, 3 * sizeof *a);
        expect(cuda_pieces.size() == 1);
        cuda_residency_end(residency);
        expect(cuda_pieces.empty());
    }
    {   // A piece that grows has the values of the device and, around them, those of the host.
        double a[8] = {0, 1, 2, 3, 4, 5, 6, 7};
        cuda_residency_reserve(0, a + 2, 2 * sizeof *a);
        put(a + 2, 10), put(a + 3, 11);
        cuda_residency_wrote(a + 2, 0);
        cuda_residency_done();
        cuda_residency_reserve(0, a, sizeof a);
        put(a + 7, 12);
        cuda_residency_wrote(a, 0);
        cuda_residency_end(0);
        const double wanted[8] = {0, 1, 10, 11, 4, 5, 6, 12};
        expect(std::equal(a, a + 8, wanted));
    }
    {   // Memory in two pieces makes them one.
        double a[8] = {};
        cuda_residency_reserve(0, a, 4 * sizeof *a);
        cuda_residency_reserve(0, a + 4, 4 * sizeof *a);
        set(a, 1), set(a + 7, 2);
        cuda_residency_wrote(a, 0), cuda_residency_wrote(a + 4, 0);
        cuda_residency_needs(a), cuda_residency_needs(a + 4);
        cuda_residency_done();
        cuda_residency_reserve(0, a + 2, 4 * sizeof *a);
        expect(cuda_pieces.size() == 1);
        expect(cuda_residency_memory(a) && get(a) == 1);
        expect(cuda_residency_memory(a + 7) && get(a + 7) == 2);
        cuda_residency_end(0);
    }
    {   // Pieces that no region uses make room where memory is short.
        double a[8] = {}, *room;
        cuda_residency_reserve(0, a, sizeof a);
        expect(cuda_residency_malloc(&room, (size_t)1 << 60) != cudaSuccess && cuda_pieces.size() == 1);
        cuda_residency_done();
        cuda_residency_reserve(0, a, sizeof a);
        expect(cuda_residency_malloc(&room, (size_t)1 << 60) != cudaSuccess && cuda_pieces.size() == 1);
        cuda_residency_done();
        expect(cuda_residency_malloc(&room, (size_t)1 << 60) != cudaSuccess && cuda_pieces.empty());
        cudaGetLastError();
    }
    {   // The device's values are the newer ones, and nothing is copied twice.
        double a[1] = {}, b[8] = {};
        cuda_residency_reserve(0, a, sizeof a);
        put(a, 1);
        cuda_residency_wrote(a, 0);
        cuda_residency_needs(a);
        expect(get(a) == 1);
        cuda_residency_reserve(0, b, sizeof b);
        cuda_residency_needs(b);
        put(b, 7);
        cuda_residency_needs(b);
        expect(get(b) == 7);
        cuda_residency_end(0);
        expect(a[0] == 1 && b[0] == 0);
    }
    {   // Where no memory is used, none is reserved.
        double a[8] = {};
        cuda_residency_reserve(0, a, 0);
        expect(cuda_pieces.empty());
    }
    {   // All pieces in the way leave, and no others.
        double a[8] = {};
        for (int k = 0; k < 8; k += 2)
            cuda_residency_reserve(0, a + k, 2 * sizeof *a);
        set(a + 2, 1), set(a + 4, 2);
        cuda_residency_wrote(a + 2, 0), cuda_residency_wrote(a + 4, 0);
        cuda_residency_release(a + 2, 3 * sizeof *a);
        expect(cuda_pieces.size() == 2 && a[2] == 1 && a[4] == 2);
        cuda_residency_end(0);
    }
"#;
    assert_eq!(printed_by("pieces", main), "");
}

/// Returns the output of a program with the functions of a generated one.
fn printed_by(name: &str, main: &str) -> String {
    let scratch = Scratch::new(name);
    scratch.write("twice.c", TWO_REGIONS);
    driver().within(scratch.path()).args(["-q", "twice.c"]).run().succeeded();
    let source = format!("{HELPERS}int main()\n{{{main}}}\n");
    scratch.write("part.cu", &source);
    Call::new(root().join("cudasim/cudasim-cc"))
        .with("CUDASIM_CACHE", root().join("target/cudasim"))
        .within(scratch.path())
        .args(["--coherence", "-w", "part.cu", "-o", "part"])
        .run()
        .succeeded();
    Call::new(scratch.at("part")).run().succeeded().stdout
}

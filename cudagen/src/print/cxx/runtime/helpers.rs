//! Helper functions that the generated functions call.
//!
//! In their texts, names that differ between languages begin with `gpu`: `gpuMalloc`, `gpu_check`.

use scop::CType;

/// Checks every call of the runtime library.
pub const CHECK: &str = r#"
// Ends the program if a LANGUAGE call failed.
static void gpu_check_at(gpuError_t error, const char *call, const char *file, int line)
{
    if (error == gpuSuccess)
        return;
    fprintf(stderr, "%s:%d: %s: %s\n", file, line, call, gpuGetErrorString(error));
    exit(1);
}

#define gpu_check(call) gpu_check_at((call), #call, __FILE__, __LINE__)
"#;

/// Checks whether address ranges overlap.
pub const OVERLAP: &str = r#"
// True if two address ranges have a byte in common. A range at a null pointer is empty.
static bool gpu_overlap(const void *a, size_t a_bytes, const void *b, size_t b_bytes)
{
    const uintptr_t a_start = (uintptr_t)a, b_start = (uintptr_t)b;
    return a && b && a_start < b_start + b_bytes && b_start < a_start + a_bytes && a_bytes > 0 && b_bytes > 0;
}
"#;

/// Checks whether memory may be written.
pub const WRITABLE: &str = r#"
// True unless a page of memory is read-only. Newer systems answer for all pages at once, if all of them exist.
// Otherwise the system reads a byte of each page and writes it back, and reports an error if it cannot. Pages that do
// not exist do not matter, because nothing uses them.
static bool gpu_writable(const void *start, size_t bytes)
{
    const uintptr_t page = 4096, end = (uintptr_t)start + bytes;
#ifdef MADV_POPULATE_WRITE
    const uintptr_t first = (uintptr_t)start / page * page;
    if (madvise((void *)first, end - first, MADV_POPULATE_WRITE) == 0)
        return true;
#endif
    for (uintptr_t next = (uintptr_t)start; next < end;) {
        char values[256];
        iovec here[256], there[256];
        int count = 0;
        for (; count < 256 && next < end; next = (next / page + 1) * page, count++) {
            here[count] = {values + count, 1};
            there[count] = {(void *)next, 1};
        }
        const ssize_t read = process_vm_readv(getpid(), here, count, there, count, 0);
        if (read < 0 && errno != EFAULT)
            return true;
        const int found = read > 0 ? (int)read : 0;
        if (found > 0) {
            const ssize_t written = process_vm_writev(getpid(), here, found, there, found, 0);
            if (written < found && (written >= 0 || errno == EFAULT))
                return false;
        }
        if (found < count)
            next = ((uintptr_t)there[found].iov_base / page + 1) * page;
    }
    return true;
}
"#;

/// Allocates host memory.
pub const HOST_MEMORY: &str = r#"
// Allocates memory on the host; ends the program if there is none.
static void *gpu_host_memory(size_t bytes)
{
    void *memory = malloc(bytes > 0 ? bytes : 1);
    if (memory == NULL) {
        fprintf(stderr, "out of memory\n");
        exit(1);
    }
    return memory;
}
"#;

/// Copies a three-dimensional box.
pub const BOX_COPY: &str = r#"
// Copies some rows of `width` bytes of each of several slices. On both sides, rows are `pitch` bytes apart and slices
// `height` rows.
static void gpu_copy_box(void *to, const void *from, size_t pitch, size_t height, size_t width, size_t rows,
    size_t slices, gpuMemcpyKind way)
{
    gpuMemcpy3DParms copy = {};
    copy.srcPtr = make_gpuPitchedPtr((void *)from, pitch, pitch, height);
    copy.dstPtr = make_gpuPitchedPtr(to, pitch, pitch, height);
    copy.extent = make_gpuExtent(width, rows, slices);
    copy.kind = way;
    gpu_check(gpuMemcpy3D(&copy));
}
"#;

/// Returns the function that converts bits to a floating-point number.
pub fn number_of_bits(ctype: CType) -> String {
    let bits = if ctype == CType::Float { "unsigned int" } else { "unsigned long long" };
    let name = scop::c_text::of_bits(ctype);
    format!(
        "\n// The number with these bits.\n\
         static __host__ __device__ inline {ctype} {name}({bits} bits)\n\
         {{\n    union {{\n        {bits} bits;\n        {ctype} number;\n    }} both = {{bits}};\n    return both.number;\n}}\n"
    )
}

/// Returns the function that divides and rounds towards minus infinity.
pub fn floord(index: &str) -> String {
    format!(
        "\n// a / b rounded towards minus infinity, for a positive b.\n\
         static __host__ __device__ inline {index} floord({index} a, {index} b)\n\
         {{\n    return a / b - (a % b < 0);\n}}\n"
    )
}

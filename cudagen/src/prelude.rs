//! What stands at the top of the CUDA source: includes, the check of every CUDA call, and small functions that are used.

use std::collections::BTreeSet;

use scop::CType;
use scop::c_text::Helper;

use crate::verification;

/// What the file's functions need.
#[derive(Debug, Clone, Default)]
pub struct Needs {
    /// CUDA is called.
    pub cuda: bool,
    /// The types for which `floord` is called.
    pub floord: BTreeSet<&'static str>,
    /// Address ranges are compared.
    pub overlap: bool,
    /// The host needs memory of its own.
    pub host_memory: bool,
    /// Mathematical functions are called.
    pub math: bool,
    /// Regions are compared with their translation.
    pub verification: bool,
}

impl Needs {
    /// Notes the helpers of a function whose integers are of type `index`.
    pub fn add(&mut self, helpers: &BTreeSet<Helper>, index: CType) {
        if helpers.contains(&Helper::Floord) {
            self.floord.insert(index.c_name());
        }
    }
}

const CHECK: &str = r#"
// Ends the program if a CUDA call failed.
static void cuda_check_at(cudaError_t error, const char *call, const char *file, int line)
{
    if (error == cudaSuccess)
        return;
    fprintf(stderr, "%s:%d: %s: %s\n", file, line, call, cudaGetErrorString(error));
    exit(1);
}

#define cuda_check(call) cuda_check_at((call), #call, __FILE__, __LINE__)
"#;

const OVERLAP: &str = r#"
// True if two address ranges have a byte in common.
static bool cuda_overlap(const void *a, size_t a_bytes, const void *b, size_t b_bytes)
{
    const uintptr_t a_start = (uintptr_t)a, b_start = (uintptr_t)b;
    return a_start < b_start + b_bytes && b_start < a_start + a_bytes && a_bytes > 0 && b_bytes > 0;
}
"#;

const HOST_MEMORY: &str = r#"
// Memory on the host, or the end of the program.
static void *cuda_host_memory(size_t bytes)
{
    void *memory = malloc(bytes > 0 ? bytes : 1);
    if (memory == NULL) {
        fprintf(stderr, "out of memory\n");
        exit(1);
    }
    return memory;
}
"#;

/// The text before the first kernel.
pub fn text(header: &str, file: &str, needs: &Needs) -> String {
    let mut text = format!("// Generated from {file} by c2cuda.\n#include \"{header}\"\n\n");
    if !needs.cuda {
        text.push_str("// All regions stay on the host.\n");
        return text;
    }
    if needs.math || needs.verification {
        text.push_str("#include <math.h>\n");
    }
    text.push_str("#include <stddef.h>\n");
    if needs.overlap {
        text.push_str("#include <stdint.h>\n");
    }
    text.push_str("#include <stdio.h>\n#include <stdlib.h>\n");
    text.push_str(if needs.verification {
        "#include <string.h>\n#include <utility>\n#include <vector>\n"
    } else {
        ""
    });
    text.push_str(CHECK);
    text.push_str(if needs.overlap { OVERLAP } else { "" });
    text.push_str(if needs.host_memory { HOST_MEMORY } else { "" });
    text.push_str(if needs.verification { verification::RUNTIME } else { "" });
    for index in &needs.floord {
        text.push_str(&floord(index));
    }
    text
}

fn floord(index: &str) -> String {
    format!(
        "\n// a / b rounded towards minus infinity, for a positive b.\n\
         static __host__ __device__ inline {index} floord({index} a, {index} b)\n\
         {{\n    return a / b - (a % b < 0);\n}}\n"
    )
}

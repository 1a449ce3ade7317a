//! Code of the host that reads or writes elements.

use crate::setting::Language;
use crate::types::c_type;

use super::super::program::{Element, Handle, Host, Range, Reading, Writing};
use super::{Helper, Printer};

impl Printer<'_> {
    /// One statement, whose further lines begin with this indentation.
    pub(super) fn host(&mut self, host: &Host, i: &str) -> String {
        match *host {
            Host::Read(element, reading) => self.read(element, reading),
            Host::Write(element, writing, value) => self.write(element, writing, value),
            Host::ReadAll(handle, Range::Function) => {
                let part = self.helper(Helper::Part(self.kind(handle).element.into()));
                format!("note({part}({}, n * m));", self.flat(handle))
            }
            Host::WriteAll(handle, Range::Function) => {
                let fill = self.helper(Helper::Fill(self.kind(handle).element.into()));
                format!("{fill}({}, n * m, 3);", self.flat(handle))
            }
            Host::Modify(handle, Range::Function) => {
                let raise = self.helper(Helper::Raise(self.kind(handle).element.into()));
                format!("{raise}({}, n * m);", self.flat(handle))
            }
            Host::ReadAll(handle, range) => {
                self.range(handle, range, i, |element, _| format!("note({element})"))
            }
            Host::WriteAll(handle, range) => {
                self.range(handle, range, i, |element, place| format!("{element} = {place} % 5"))
            }
            Host::Modify(handle, range) => self
                .range(handle, range, i, |element, _| format!("note({element}), {element} = 2 - {element}")),
            Host::Clear(handle) => format!("memset({}, 0, {});", self.flat(handle), self.bytes(handle)),
            Host::Copy { from, to, distinct, half } => {
                let function = if distinct { "memcpy" } else { "memmove" };
                let half = if half { " / 2" } else { "" };
                let kind = c_type(self.kind(from).element);
                let (from, to) = (self.flat(from), self.flat(to));
                format!("{function}({to}, {from}, (size_t)(n * m{half}) * sizeof({kind}));")
            }
            Host::Compare(first, second) => {
                let bytes = self.bytes(first);
                format!("note(memcmp({}, {}, {bytes}) == 0);", self.flat(first), self.flat(second))
            }
            Host::Sort(handle, whole) => {
                let variable = self.kind(handle);
                let (flat, kind) = (self.flat(handle), c_type(variable.element));
                let compare = self.helper(Helper::Compare(variable.element.into()));
                let part = if whole { format!("{flat}, n * m") } else { format!("{flat} + (n - 1) * m, m") };
                format!("qsort({part}, sizeof({kind}), {compare});")
            }
        }
    }

    fn bytes(&self, handle: Handle) -> String {
        format!("(size_t)n * m * sizeof({})", c_type(self.kind(handle).element))
    }

    fn read(&mut self, of: Element, reading: Reading) -> String {
        let variable = self.kind(of.of);
        let (e, kind) = (self.element(of), c_type(variable.element));
        match reading {
            Reading::Plain => format!("note({e});"),
            Reading::Initialiser => format!("{{ {kind} x = {e}; note(x); }}"),
            Reading::Argument if self.program.language == Language::Cxx => {
                format!("std::cout << {e} << '\\n' << std::flush;")
            }
            Reading::Argument => format!("printf(\"%g\\n\", (double){e});"),
            Reading::Ternary => format!("note(n > 3 ? {e} : 2);"),
            Reading::ShortCircuit => format!("note((m > 2 && {e} > 0) || n == 1);"),
            Reading::Comma => format!("note((seen += 3, {e}));"),
            Reading::Reference if self.program.language == Language::Cxx => {
                format!("{{ const {kind} &x = {e}; note(x); }}")
            }
            Reading::Lambda if self.program.language == Language::Cxx => {
                format!("note([&] {{ return {e}; }}());")
            }
            Reading::Byte => format!("note(*(unsigned char *)&{e});"),
            Reading::Formatted => {
                format!(
                    "{{ char text[32]; snprintf(text, sizeof text, \"%g\", (double){e}); note(text[0]); }}"
                )
            }
            Reading::Address | Reading::Reference | Reading::Lambda => {
                format!("{{ const {kind} *x = &{e}; note(*x); }}")
            }
            Reading::Copied => format!("{{ {kind} x; memcpy(&x, &{e}, sizeof x); note(x); }}"),
            Reading::Macro => format!("NOTE({e});"),
            Reading::Part => {
                let part = self.helper(Helper::Part(variable.element.into()));
                if variable.kind.is_array() {
                    format!("note({part}({} + n * m / 2, n * m / 3 + 1));", self.flat(of.of))
                } else {
                    format!("note({part}(&{e}, 1));")
                }
            }
            Reading::LoopHeader => format!("for (int x = {e} > 0; x < 2 + ({e} > 1); x++) note(x);"),
        }
    }

    fn write(&mut self, of: Element, writing: Writing, value: i64) -> String {
        let variable = self.kind(of.of);
        let (e, kind) = (self.element(of), c_type(variable.element));
        match writing {
            Writing::Plain => format!("{e} = {value};"),
            Writing::Add => format!("{e} += {value};"),
            Writing::Increment => format!("({e})++;"),
            Writing::Reference if self.program.language == Language::Cxx => {
                format!("{{ {kind} &x = {e}; x = {value}; }}")
            }
            Writing::Lambda if self.program.language == Language::Cxx => {
                format!("[&] {{ {e} = {value}; }}();")
            }
            Writing::Address | Writing::Reference | Writing::Lambda => {
                format!("{{ {kind} *x = &{e}; *x = {value}; }}")
            }
            Writing::Copied => format!("{{ {kind} x = {value}; memcpy(&{e}, &x, sizeof x); }}"),
            Writing::Macro => format!("SET({e}, {value});"),
            Writing::Function => {
                let put = self.helper(Helper::Put(variable.element.into()));
                format!("{put}(&{e}, {value});")
            }
            Writing::InCondition => format!("note(({e} += {value}) > 3);"),
            Writing::LoopStep => format!("for (int x = 0; x < 2; x++, {e} += {value}) note(x);"),
            Writing::Ternary => format!("(void)(n > 3 ? {e} = {value} : 0);"),
        }
    }

    /// A loop over elements. The action gets an element and a number that is different for most.
    fn range(&self, handle: Handle, range: Range, i: &str, action: impl Fn(&str, &str) -> String) -> String {
        let variable = self.kind(handle);
        let counted =
            |head: &str| format!("for (int x = {head})\n{i}    {};", action(&self.indexed(handle, "x"), "x"));
        match range {
            Range::Up | Range::Function => counted("0; x < n * m; x++"),
            Range::Down => counted("n * m - 1; x >= 0; x--"),
            Range::Strided => counted("0; x < n * m; x += 3"),
            Range::Prefix => counted("0; x < n * m / 2; x++"),
            Range::Suffix => counted("n * m / 2; x < n * m; x++"),
            Range::Walk => {
                let (kind, flat) = (c_type(variable.element), self.flat(handle));
                let text = action("*x", "3");
                format!("for ({kind} *x = {flat}, *end = x + n * m; x < end; x++)\n{i}    {text};")
            }
            Range::While => {
                let text = action(&self.indexed(handle, "x"), "x");
                format!(
                    "{{\n{i}    int x = 0;\n{i}    while (x < n * m) {{\n{i}        {text};\n{i}        x++;\n{i}    }}\n{i}}}"
                )
            }
            Range::Rows => {
                let (kind, flat) = (c_type(variable.element), self.flat(handle));
                let text = action("rows[r][c]", "(c - r)");
                format!(
                    "{{\n{i}    {kind} *rows[N];\n{i}    for (int r = 0; r < n; r++)\n{i}        rows[r] = {flat} + r * m;\n\
                     {i}    for (int r = 0; r < n; r++)\n{i}        for (int c = 0; c < m; c++)\n{i}            {text};\n{i}}}"
                )
            }
            Range::Nested => {
                let element = if variable.kind.is_grid() {
                    format!("{}[r][c]", self.name(&variable))
                } else {
                    self.indexed(handle, "r * m + c")
                };
                let text = action(&element, "(r + 2 * c)");
                format!("for (int r = 0; r < n; r++)\n{i}    for (int c = 0; c < m; c++)\n{i}        {text};")
            }
        }
    }
}

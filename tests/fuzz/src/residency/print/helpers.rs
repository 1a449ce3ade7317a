//! Functions that host code of a program calls.

use crate::program::Type;
use crate::types::c_type;

/// An element type, in the order in which helpers are printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum ElementType {
    Double,
    Float,
    Int,
}

/// A function for one element type.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Helper {
    /// Allocates and fills.
    Make(ElementType),
    /// Sums a part of an array.
    Part(ElementType),
    /// Sets an element.
    Put(ElementType),
    /// Sets a part of an array.
    Fill(ElementType),
    /// Adds 1 to a part of an array.
    Raise(ElementType),
    /// Compares for `qsort`.
    Compare(ElementType),
    /// C++: reads or writes an element when it is destroyed; `true` if it writes.
    Guard(ElementType, bool),
    /// Returns one of two pointers.
    Pick(ElementType),
    /// Swaps two pointers; `true` in C, which has no references.
    Exchange(ElementType, bool),
}

impl From<Type> for ElementType {
    fn from(element: Type) -> Self {
        match element {
            Type::Float => Self::Float,
            Type::Int => Self::Int,
            _ => Self::Double,
        }
    }
}

impl Helper {
    /// The name of the function.
    pub fn name(self) -> String {
        let (what, element) = match self {
            Self::Make(element) => ("make", element),
            Self::Part(element) => ("part", element),
            Self::Put(element) => ("put", element),
            Self::Fill(element) => ("fill", element),
            Self::Raise(element) => ("raise", element),
            Self::Compare(element) => ("compare", element),
            Self::Guard(element, false) => ("reader", element),
            Self::Guard(element, true) => ("writer", element),
            Self::Pick(element) => ("pick", element),
            Self::Exchange(element, _) => ("exchange", element),
        };
        format!("{what}_{}", c_name(element))
    }

    /// The function.
    pub fn text(self, with_new: bool) -> String {
        let name = self.name();
        let text = match self {
            Self::Make(element) => {
                let kind = c_name(element);
                let memory = if with_new {
                    format!("new {kind}[count]")
                } else {
                    format!("({kind} *)malloc(count * sizeof({kind}))")
                };
                format!(
                    "static {kind} *{name}(int count, int first)\n{{\n    {kind} *made = {memory};\n    \
                     for (int x = 0; x < count; x++)\n        made[x] = (x + first) % 7;\n    return made;\n}}\n"
                )
            }
            Self::Part(element) => format!(
                "static double {name}(const {} *x, int count)\n{{\n    double sum = 0;\n    \
                 while (count-- > 0)\n        sum += *x++;\n    return sum;\n}}\n",
                c_name(element)
            ),
            Self::Put(element) => {
                let kind = c_name(element);
                format!("static void {name}({kind} *x, {kind} value)\n{{\n    *x = value;\n}}\n")
            }
            Self::Fill(element) => {
                let kind = c_name(element);
                format!(
                    "static void {name}({kind} *x, int count, {kind} value)\n{{\n    \
                     for (int i = 0; i < count; i++)\n        x[i] = value;\n}}\n"
                )
            }
            Self::Raise(element) => format!(
                "static void {name}({} *x, int count)\n{{\n    for (int i = 0; i < count; i++)\n        x[i] += 1;\n}}\n",
                c_name(element)
            ),
            Self::Compare(element) => {
                let kind = c_name(element);
                format!(
                    "static int {name}(const void *p, const void *q)\n{{\n    \
                     {kind} x = *(const {kind} *)p, y = *(const {kind} *)q;\n    return (x > y) - (x < y);\n}}\n"
                )
            }
            Self::Guard(element, writes) => {
                let action = if writes { "*element += 3" } else { "note(*element)" };
                format!(
                    "struct {name} {{\n    {} *element;\n    ~{name}()\n    {{\n        {action};\n    }}\n}};\n",
                    c_name(element)
                )
            }
            Self::Pick(element) => {
                let kind = c_name(element);
                format!(
                    "static {kind} *{name}({kind} *x, {kind} *y, int first)\n{{\n    return first ? x : y;\n}}\n"
                )
            }
            Self::Exchange(element, true) => {
                let kind = c_name(element);
                format!(
                    "static void {name}({kind} **p, {kind} **q)\n{{\n    {kind} *first = *p;\n    *p = *q;\n    *q = first;\n}}\n"
                )
            }
            Self::Exchange(element, false) => {
                let kind = c_name(element);
                format!(
                    "static void {name}({kind} *&p, {kind} *&q)\n{{\n    {kind} *first = p;\n    p = q;\n    q = first;\n}}\n"
                )
            }
        };
        text + "\n"
    }
}

fn c_name(element: ElementType) -> &'static str {
    c_type(match element {
        ElementType::Double => Type::Double,
        ElementType::Float => Type::Float,
        ElementType::Int => Type::Int,
    })
}

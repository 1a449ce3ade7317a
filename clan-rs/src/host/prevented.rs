//! What keeps everything in a file, or an array of a region, from staying on the device, with a way out of it.

use scop::{Array, MemoryLifetime, Prevention, SourceRange, Storage};

use crate::around::outside::may_return_again;
use crate::c::ctree::{Callee, Expr, ExprKind, Stmt, StmtKind, Tree, Unsupported, VariableId};
use crate::host::bits::Bits;
use crate::host::expressions;
use crate::host::opaque::{Opaque, is_opaque_statement};
use crate::host::placed::Placed;
use crate::host::pointers::Pointers;
use crate::regions::translated::Translated;

/// Functions whose call duplicates the process, or whose memory ends with the function that calls them.
const DUPLICATING: [&str; 2] = ["fork", "_Fork"];
const ON_STACK: [&str; 4] = ["alloca", "__builtin_alloca", "__builtin_alloca_with_align", "strdupa"];

/// Returns why nothing stays on the device between the regions of a file, if that is so.
pub fn of_file(tree: &Tree, regions: &[Translated<'_>]) -> Option<Prevention> {
    if tree.has_coroutines {
        return Some(Prevention {
            array: None,
            reason: "the file has coroutines, which are left and entered again".to_owned(),
            way_out: "move them to another file".to_owned(),
            range: None,
        });
    }
    special_call(tree).or_else(|| threads(tree, regions))
}

/// Returns the first call of a function after which code runs again, in this process or in another one, or of one whose
/// memory ends without a trace.
fn special_call(tree: &Tree) -> Option<Prevention> {
    let mut found = None;
    for function in tree.all_functions() {
        function.body.walk_expressions(tree, &mut |expr| {
            let Some((callee, does)) = special(expr).filter(|_| found.is_none()) else { return };
            let way_out = match does {
                "allocates on the stack" => "allocate the memory with `malloc`, or declare an array",
                _ => "call it in another file",
            };
            found = Some(Prevention {
                array: None,
                reason: format!("the file calls `{}`, which {does}", plain_name(&callee.shown)),
                way_out: way_out.to_owned(),
                range: function.range.map(|_| expr.range),
            });
        });
    }
    found
}

/// Returns the function that an expression calls and what it does, if that cannot be followed.
fn special(expr: &Expr) -> Option<(&Callee, &'static str)> {
    let ExprKind::Call { callee: Some(callee), .. } = &expr.kind else { return None };
    let name = callee.name.as_str();
    let does = if callee.attribute.is_some() {
        "has a special attribute"
    } else if may_return_again(expr) {
        "may return more than once"
    } else if DUPLICATING.contains(&name) {
        "duplicates the process"
    } else if ON_STACK.contains(&name) {
        "allocates on the stack"
    } else {
        return None;
    };
    Some((callee, does))
}

/// Returns the name under which a program calls a function that is a macro of a C library: `setjmp` for `_setjmp`.
fn plain_name(name: &str) -> &str {
    name.strip_prefix("__builtin_").unwrap_or(name).trim_start_matches('_')
}

fn threads(tree: &Tree, regions: &[Translated<'_>]) -> Option<Prevention> {
    let sign = tree.threads.as_ref()?;
    // Without regions, nothing says which memory threads share.
    let is_shared = |region: &Translated<'_>| region.model.arrays.iter().any(|array| array.concurrent);
    let is_concurrent = regions.is_empty() || regions.iter().any(is_shared);
    is_concurrent.then(|| Prevention {
        array: None,
        reason: format!("the program may have threads that use the arrays of a region: {}", sign.words),
        way_out: "translate with `--no-host-threads` if no other thread uses these arrays while a region runs or while \
                  they stay on the device"
            .to_owned(),
        range: sign.range,
    })
}

/// What decides whether an array can stay on the device.
pub struct Ground<'a> {
    /// The file.
    pub tree: &'a Tree,
    /// What the tree does not show.
    pub opaque: &'a Opaque<'a>,
    /// Where pointers may point.
    pub pointers: &'a Pointers<'a>,
    /// The variables whose blocks the host code shows.
    pub placed: &'a Placed,
}

impl Ground<'_> {
    /// Returns the objects that an array may be if it can stay on the device; otherwise why it cannot: the reason, a
    /// way out, and the code.
    pub fn memory(
        &self,
        id: VariableId,
        array: &Array,
    ) -> Result<Bits, (String, &'static str, Option<SourceRange>)> {
        let variable = self.tree.variable(id);
        let pointer = "let a pointer point to its elements before the region, and use that in the region";
        if array.storage != Storage::Contiguous {
            let reason = "it is a member of each structure of an array".to_owned();
            return Err((reason, "make an array of each member instead of an array of structures", None));
        }
        if variable.member.is_some() {
            return Err(("it is a member of a structure".to_owned(), pointer, None));
        }
        if variable.reference && !expressions::is_array(self.tree, id) {
            return Err(("it is reached through a reference".to_owned(), pointer, variable.declared_at));
        }
        let mut set = Bits::default();
        let objects = self.pointers.objects_of(id).iter();
        let element = (array.element.size(), Some(array.element.is_integer()));
        objects.filter(|object| self.pointers.may_be_array(*object, element)).for_each(|object| {
            set.insert(object);
        });
        let ends_unseen = self.pointers.not_placed(&set, self.placed);
        ends_unseen.map_or(Ok(set), |number| Err(self.of_object(number)))
    }

    /// Returns the function or the statement around a declaration of which nothing is known but what it mentions, and a
    /// way out.
    fn hidden_in(&self, declaration: SourceRange) -> Option<(String, &'static str)> {
        let contains = |range: &SourceRange| declaration.is_within(*range);
        let function = self.tree.functions.iter().find(|one| one.range.as_ref().is_some_and(contains))?;
        if let Some((reason, way_out)) = self.opaque.reason(function) {
            return Some((format!("function that {reason}"), way_out));
        }
        let mut found = None;
        let mut is_caught = false;
        function.body.walk(&mut |stmt| {
            is_caught |= is_handler_of(stmt, declaration);
            if let (StmtKind::Other { what, .. }, true) = (&stmt.kind, is_opaque_statement(stmt))
                && contains(&stmt.range)
            {
                found = Some(what);
            }
            if let StmtKind::Other { what: what @ Unsupported::Range, parts } = &stmt.kind
                && parts
                    .iter()
                    .any(|part| matches!(part.kind, StmtKind::Declaration(_)) && contains(&part.range))
            {
                found = Some(what);
            }
        });
        match found? {
            _ if is_caught => Some(("handler that catches it by value".to_owned(), "catch it by reference")),
            Unsupported::Loop(_) => {
                let way_out = "let the loop count, or move what runs regions out of its function";
                Some(("range-based `for` loop, which the analysis does not follow".to_owned(), way_out))
            }
            what @ Unsupported::Range => {
                let way_out = "use a copy that is declared in the body of the loop";
                Some((what.words().to_owned(), way_out))
            }
            what => {
                let way_out = "move the contents of that statement into a function of their own";
                Some((format!("statement that the analysis does not follow: {}", what.words()), way_out))
            }
        }
    }

    /// True for a declaration in the header of a `for` loop.
    fn is_in_header_of_loop(&self, declaration: SourceRange) -> bool {
        let mut found = false;
        for function in &self.tree.functions {
            function.body.walk(&mut |stmt| {
                if let StmtKind::For { init, .. } = &stmt.kind {
                    found |= declaration.is_within(init.range);
                }
            });
        }
        found
    }

    /// Explains why an object cannot stay on the device whose end the host code does not show.
    fn of_object(&self, number: usize) -> (String, &'static str, Option<SourceRange>) {
        let object = &self.pointers.objects.all[number];
        let name = match object.variable {
            Some(_) if !object.name.contains('`') => format!("`{}`", object.name),
            _ => object.name.clone(),
        };
        if let Some((place, way_out)) = object.made_at.and_then(|made_at| self.hidden_in(made_at)) {
            return (format!("it may be {name}, which is declared in a {place}"), way_out, object.made_at);
        }
        let is_counter = object.made_at.is_some_and(|made_at| self.is_in_header_of_loop(made_at));
        let way_out = match object.lifetime {
            MemoryLifetime::Block if is_counter => "declare it before the loop",
            MemoryLifetime::Block if object.variable.is_some() => {
                "give it a name that no other variable of the function and no macro has"
            }
            _ => "give it a name: declare a variable",
        };
        (format!("it may be {name}, and it is not known where that ends"), way_out, object.made_at)
    }
}

/// True for a handler of exceptions that makes an object by this declaration.
fn is_handler_of(stmt: &Stmt, declaration: SourceRange) -> bool {
    let StmtKind::Other { what, parts } = &stmt.kind else { return false };
    let declares =
        |part: &Stmt| matches!(part.kind, StmtKind::Declaration(_)) && declaration.is_within(part.range);
    what.is_try() && parts.iter().any(declares)
}

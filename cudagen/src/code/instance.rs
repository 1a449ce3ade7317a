//! Spells instances of statements inside one function.

use scop::ast::{AccessPlace, AstExpr};
use scop::c_text::{self, Code, Dialect, Fragment, Spelling, Undefined};
use scop::{Access, AccessId, Diagnostics, Reduction, ReductionOp, Statement, without_sign};

use crate::code::element;
use crate::code::frame::{Frame, Side};
use crate::code::undefined::Unspellable;

/// One statement instance inside a function.
pub struct Instance<'a> {
    /// The function.
    pub frame: &'a Frame<'a>,
    /// The statement.
    pub statement: &'a Statement,
    /// The values of its iterators.
    pub iterators: &'a [AstExpr],
    /// The place of each of its accesses.
    pub accesses: &'a [AccessPlace],
}

impl<'a> Instance<'a> {
    /// Returns its text.
    ///
    /// # Errors
    /// Reports a bug if the document uses something that it does not define.
    pub fn code(&self) -> Result<Vec<Code>, Diagnostics> {
        let code = match self.atomic() {
            Some(reduction) => {
                let function = self.warp_sum(reduction)?;
                c_text::atomic_update(self.statement, reduction, self, function.as_deref())
            }
            None => match self.unsigned_partial()? {
                Some(reduction) => c_text::unsigned_update(self.statement, reduction, self),
                None => c_text::body(self.statement, self),
            },
        };
        code.map_err(|Unspellable(why)| why)
    }

    /// Returns the relaxed reduction of the statement, if it runs on the device; its instances run in any order.
    fn atomic(&self) -> Option<&'a Reduction> {
        let on_device = self.frame.side == Side::Device;
        let mut relaxed = self.frame.view.dependences.relaxed().filter(|_| on_device);
        relaxed.find(|reduction| reduction.statement == self.statement.id)
    }

    /// Returns the reduction of the statement, if it is a sum or product of signed integers of which threads have
    /// partial values.
    fn unsigned_partial(&self) -> Result<Option<&'a Reduction>, Diagnostics> {
        let view = self.frame.view;
        let own = view.dependences.reductions.iter().find(|one| one.statement == self.statement.id);
        let Some((reduction, (access, place))) = own.and_then(|one| Some((one, self.access(one.write)?)))
        else {
            return Ok(None);
        };
        let Some(buffer) = place.buffer else { return Ok(None) };
        let is_sum = matches!(reduction.operator, ReductionOp::Sum | ReductionOp::Product);
        let element = view.datum(access.array)?.array.element;
        let is_signed = without_sign(element).is_some_and(|unsigned| unsigned != element);
        let is_partial = view.buffer(buffer)?.buffer.partial.is_some();
        Ok(Some(reduction).filter(|_| is_partial && is_sum && is_signed))
    }

    /// Returns the function that adds to the element of a reduction, if all threads add to the same element and
    /// compilers would not combine the values of a warp by themselves. They do that for sums of 32 bits (REDUX).
    fn warp_sum(&self, reduction: &Reduction) -> Result<Option<String>, Diagnostics> {
        let view = self.frame.view;
        let Some((access, place)) = self.access(reduction.write) else { return Ok(None) };
        let ctype = view.datum(access.array)?.array.element;
        let mut is_one = true;
        for index in &place.index {
            index.visit_names(&mut |name| is_one &= view.integers.parameters.contains_key(name));
        }
        if access.indirect || reduction.operator != ReductionOp::Sum || ctype.size() != 8 || !is_one {
            return Ok(None);
        }
        self.frame.note_use(|uses| uses.warp_sums = true);
        Ok(Some(view.names.own("add")))
    }

    fn access(&self, id: AccessId) -> Option<(&Access, &AccessPlace)> {
        Some((self.statement.access(id)?, self.accesses.iter().find(|place| place.access == id)?))
    }
}

impl Spelling for Instance<'_> {
    type Error = Unspellable;

    fn dialect(&self) -> Dialect {
        Dialect::Cxx
    }

    fn element(&self, access: AccessId, subscripts: &[Fragment]) -> Result<Fragment, Unspellable> {
        let (access, place) = self.access(access).ok_or_else(|| Undefined(access.to_string()))?;
        let spelled = match place.buffer {
            Some(buffer) if access.indirect => element::chosen_place(self.frame, buffer, subscripts),
            None if access.indirect => element::indirect(self.frame, access.array, subscripts, access.kind),
            Some(buffer) => element::place(self.frame, buffer, &place.index),
            None => element::element(self.frame, access.array, &place.index, access.kind),
        };
        spelled.map_err(Unspellable)
    }

    fn iterator(&self, dimension: u32) -> Option<Fragment> {
        Some(self.frame.index(self.iterators.get(dimension as usize)?))
    }

    fn parameter(&self, name: &str) -> Option<Fragment> {
        let ctype = *self.frame.view.integers.parameters.get(name)?;
        self.frame.note_use(|uses| {
            uses.integers.insert(name.to_owned());
        });
        Some(Fragment::atom(name, ctype))
    }

    fn function<'n>(&'n self, name: &'n str) -> &'n str {
        self.frame.view.names.function(name)
    }
}

//! The arrays of a program.

use std::collections::BTreeSet;

use super::Generator;
use crate::defined::Extents;
use crate::program::{Array, Role, Storage, Subscript, Type};
use crate::visit;

impl Generator {
    pub(super) fn draw_arrays(&mut self) {
        for _ in 0..self.random.between(2, 5) {
            let rank = self.random.weighted(&[(15, 0), (35, 1), (38, 2), (12, 3)]);
            self.draw_array(rank);
        }
        if self.program.arrays.iter().all(|array| array.rank == 0) {
            self.draw_array(1);
        }
        if self.with_data {
            let name = self.fresh_name("index");
            let array =
                Array { name, element: Type::Int, rank: 1, storage: Storage::Parameter, role: Role::Index };
            self.program.arrays.push(array);
        }
    }

    fn draw_array(&mut self, rank: usize) {
        let storage = if rank == 0 {
            self.random.weighted(&[(40, Storage::Parameter), (15, Storage::Global), (45, Storage::Local)])
        } else {
            self.random.weighted(&[
                (70, Storage::Parameter),
                (15, Storage::Global),
                (15, Storage::Linearised),
            ])
        };
        let (element, role) = self.draw_content();
        let name = self.fresh_name(if rank == 0 { "s" } else { "a" });
        let name = if storage == Storage::Global { format!("{name}_{}", self.program.number) } else { name };
        self.program.arrays.push(Array { name, element, rank, storage, role });
    }

    /// A scalar or an array of the region.
    pub(super) fn draw_temporary(&mut self) -> (usize, Type) {
        let (element, role) = self.draw_content();
        let name = self.fresh_name("t");
        let rank = self.random.weighted(&[(60, 0), (40, 1)]);
        self.program.arrays.push(Array { name, element, rank, storage: Storage::Temporary, role });
        (self.program.arrays.len() - 1, element)
    }

    pub(super) fn draw_content(&mut self) -> (Type, Role) {
        let element = self.random.weighted(&[
            (40, Type::Double),
            (15, Type::Float),
            (15, Type::Int),
            (10, Type::Unsigned),
            (6, Type::Long),
            (5, Type::UnsignedLong),
            (4, Type::Short),
            (5, Type::UnsignedChar),
        ]);
        (element, self.random.one_of(&[Role::Values, Role::Accumulator]))
    }

    /// Linearised subscripts are accepted if they show rows of one parameter's length and no data; other arrays
    /// become arrays of variable length.
    pub(super) fn settle_storage(&mut self, extents: &Extents) {
        let mut indirect = BTreeSet::new();
        visit::accesses_mut(&mut self.program.body, &mut |access| {
            if access
                .subscripts
                .iter()
                .any(|subscript| matches!(subscript, Subscript::Load(..) | Subscript::Hash(..)))
            {
                indirect.insert(access.array);
            }
        });
        for (place, array) in self.program.arrays.iter_mut().enumerate() {
            let rows = extents.lengths[place].get(1..).unwrap_or_default();
            let refused = indirect.contains(&place) || rows.iter().any(|row| row.by_n + row.by_m > 1);
            if array.storage == Storage::Linearised && refused {
                array.storage = Storage::Parameter;
            }
        }
    }

    pub(super) fn fresh_name(&self, kind: &str) -> String {
        format!("{kind}{}", self.program.arrays.len())
    }
}

//! The index function of a buffer: the bounding box of its elements (C-to-CUDA, Algorithm 2).

use polyhedra::{DimType, Map, PwMultiAff, Result, Text, Val, context, integer};
use scop::{BufferId, IslMap};

/// A box of constant size and at an affine position that contains the image of a relation.
pub struct BoundingBox {
    /// The extents of the box, in steps of its strides.
    pub sizes: Vec<u32>,
    /// The distance between neighbours in the box, for each dimension.
    strides: Vec<u32>,
    /// The map from the relation's domain to the first element of the box.
    offset: PwMultiAff,
}

impl BoundingBox {
    /// Returns the box around the elements of `footprint`, a relation from schedule dimensions to elements, if its
    /// size is constant.
    pub fn around(footprint: &Map) -> Result<Option<Self>> {
        let hull = footprint.get_range_simple_fixed_box_hull()?;
        if !hull.is_valid()? {
            return Ok(None);
        }
        let size = hull.get_size()?;
        let mut sizes = Vec::new();
        for position in 0..footprint.dim(DimType::Out)? {
            let Ok(extent) = integer(&size.get_at(position)?)?.try_into() else { return Ok(None) };
            sizes.push(extent);
        }
        let offset = PwMultiAff::from_multi_aff(hull.get_offset()?)?;
        Ok(Some(Self { strides: vec![1; sizes.len()], sizes, offset }))
    }

    /// Returns the box around elements with a distance between them, such as those of one of several threads that
    /// take turns.
    pub fn with_strides(footprint: &Map) -> Result<Option<Self>> {
        let Some(mut around) = Self::around(footprint)? else { return Ok(None) };
        for (position, (size, stride)) in around.sizes.iter_mut().zip(&mut around.strides).enumerate() {
            let found = integer(&footprint.get_range_stride_info(position as i32)?.get_stride()?)?;
            *stride = u32::try_from(found).unwrap_or(1).max(1);
            *size = size.div_ceil(*stride);
        }
        Ok(Some(around))
    }

    /// Returns the number of elements of the box.
    pub fn elements(&self) -> u64 {
        self.sizes.iter().map(|&size| u64::from(size)).product()
    }

    /// Returns all elements of the box: `{ [h] -> A[x] : offset(h) <= x < offset(h) + size }`.
    pub fn elements_map(&self, like: &Map) -> Result<Map> {
        let place = self.place(like)?;
        let inside: Vec<String> =
            self.sizes.iter().enumerate().map(|(k, size)| format!("0 <= x{k} < {size}")).collect();
        let condition = if inside.is_empty() { "true".to_owned() } else { inside.join(" and ") };
        let name = like.get_tuple_name(DimType::Out)?;
        let dims = crate::kernel::view::names("x", self.sizes.len() as u32);
        let range = polyhedra::Set::parse(&format!("{{ {name}[{dims}] : {condition} }}"))?;
        let wrapped = Map::from_pw_multi_aff(place)?.intersect_range(range)?.domain()?;
        Ok(wrapped.unwrap()?)
    }

    /// Returns the index function of buffer `id`. It turns a function `{ [[h] -> A[x, y]] -> A[x', y'] }` into one to
    /// the buffer, with the dimensions in the given order, such as `{ [[h] -> A[x, y]] -> B0[y', x'] }`.
    pub fn index(place: &PwMultiAff, id: BufferId, order: &[usize]) -> Result<IslMap> {
        let place = Map::from_pw_multi_aff(place.copy()?)?;
        if order.is_sorted() {
            return Ok(IslMap(place.set_tuple_name(DimType::Out, &id.to_string())?.text()?));
        }
        let name = place.get_tuple_name(DimType::Out)?;
        let dims = crate::kernel::view::names("x", order.len() as u32);
        let ordered: Vec<String> = order.iter().map(|dimension| format!("x{dimension}")).collect();
        let reorder = Map::parse(&format!("{{ {name}[{dims}] -> {id}[{}] }}", ordered.join(", ")))?;
        Ok(IslMap(place.apply_range(reorder)?.text()?))
    }

    /// Returns the first element of the box for each value of the schedule dimensions.
    pub fn offset(&self) -> Result<PwMultiAff> {
        Ok(self.offset.copy()?)
    }

    /// Returns the place of an element in the box: `{ [[h] -> A[x]] -> A[floor((x - offset(h)) / stride)] }`.
    pub fn place(&self, like: &Map) -> Result<PwMultiAff> {
        let universe = Map::universe(like.get_space()?)?;
        let element = PwMultiAff::from_map(universe.copy()?.range_map()?)?;
        let outer = PwMultiAff::from_map(universe.domain_map()?)?;
        let offset = self.offset.copy()?.pullback_pw_multi_aff(outer)?;
        let mut place = element.sub(offset)?;
        for (position, &stride) in self.strides.iter().enumerate().filter(|(_, stride)| **stride > 1) {
            let step = Val::int_from_si(context(), i64::from(stride))?;
            let steps = place.get_at(position as i32)?.scale_down_val(step)?.floor()?;
            place = place.set_pw_aff(position as u32, steps)?;
        }
        Ok(place)
    }
}

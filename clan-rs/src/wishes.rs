//! What a file asks for, given to the regions that it is for.

use std::path::Path;

use scop::{Diagnostics, wish};

use crate::regions::translated::Translated;

/// Gives the wishes of a file to regions; `names` are those of all regions, also of those that stay C.
///
/// # Errors
/// `E0001`, `E0306`: the file cannot be read, is no list of wishes, or names a region that there is not.
pub fn give(path: &Path, names: &[String], regions: &mut [Translated<'_>]) -> Result<(), Diagnostics> {
    let wishes = tool::wishes_in(path)?;
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    if let Some(why) = wish::for_no_region(&wishes, &names) {
        return Err(why.into());
    }
    for region in regions {
        let model = &mut region.model;
        model.wishes = wishes.iter().filter(|wish| wish.is_for_region(&model.name)).cloned().collect();
    }
    Ok(())
}

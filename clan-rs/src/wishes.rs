//! Assigns the wishes of a file to the regions that they apply to.

use std::path::Path;

use scop::{Diagnostics, wish};

use crate::regions::translated::Translated;

/// Assigns the wishes of the file at `path` to `regions`. `names` contains the names of all regions, including
/// those that stay C.
///
/// # Errors
/// Fails with `E0001` or `E0306` if the file cannot be read, is not a list of wishes, or names a region that does
/// not exist.
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

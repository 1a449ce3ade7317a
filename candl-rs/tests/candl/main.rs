//! Tests of candl-rs from the user's point of view.

#[cfg(test)]
mod check;
#[cfg(test)]
mod claims;
#[cfg(test)]
mod command;
#[cfg(test)]
mod copies;
#[cfg(test)]
mod dependences;
#[cfg(test)]
mod private;
#[cfg(test)]
mod programs;
#[cfg(test)]
mod reductions;
#[cfg(test)]
mod support;
#[cfg(test)]
mod variants;

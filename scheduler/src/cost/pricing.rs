//! The time of a kernel with a shape.

use std::collections::BTreeMap;

use gpu::target::Gpu;
use gpu::time::time;
use polyhedra::Result;
use scop::{KernelId, Model};

use super::assumed::Assumed;
use super::device_memory::add_device_memory;
use super::places::Places;
use super::work::Subject;
use crate::shape::Shape;

/// By how much the parameters are larger if a plan must be good for large sizes, too.
const LARGER: i64 = 16;

/// For what plans are priced.
pub struct Pricing {
    /// The sizes.
    pub places: Places,
    /// Larger sizes.
    pub large: Places,
    /// The GPU.
    pub gpu: Gpu,
}

impl Pricing {
    /// Prices plans for a region on a GPU, with values for its parameters by name.
    pub fn new(model: &Model, sizes: &BTreeMap<String, i64>, gpu: Gpu) -> Result<Self> {
        let assumed = Assumed::new(model, sizes)?;
        let places = Places::new(model, &assumed)?;
        Ok(Self { places, large: Places::new(model, &assumed.times(LARGER))?, gpu })
    }

    /// Returns the time of a kernel with a shape, in microseconds.
    pub fn time(&self, subject: &Subject, shape: &Shape) -> f64 {
        self.time_in(subject, shape, &self.places)
    }

    /// Returns the time for larger sizes, for which `subject` was made.
    pub fn time_when_large(&self, subject: &Subject, shape: &Shape) -> f64 {
        self.time_in(subject, shape, &self.large)
    }

    /// True if each multiprocessor has one of so many blocks.
    pub fn fills_gpu(&self, blocks: f64) -> bool {
        blocks >= self.gpu.rates.multiprocessors as f64
    }

    fn time_in(&self, subject: &Subject, shape: &Shape, places: &Places) -> f64 {
        let mut estimate = [(KernelId(0), subject.estimate(shape, subject.mean_blocks(shape), places))];
        add_device_memory(&mut estimate, &self.gpu);
        time(&estimate[0].1.work, &self.gpu).microseconds
    }
}

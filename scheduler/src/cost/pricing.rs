//! The time of a kernel with a shape.

use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use gpu::target::Gpu;
use gpu::time::time;
use place::counting::Counting;
use polyhedra::Result;
use scop::{Dependences, Model};

use super::assumed::Assumed;
use super::device_memory::works;
use super::estimate::Estimate;
use super::floor::{Floor, FloorTime};
use super::places::Places;
use super::work::Subject;
use crate::ranked::Numberings;
use crate::shape::Shape;

/// By how much the parameters that the user gives no sizes for are larger if a plan must be good for large sizes, too.
const LARGER: i64 = 16;

/// For what plans are priced.
pub struct Pricing {
    /// The values of the parameters.
    pub assumed: Assumed,
    /// The parameters whose values the user gives.
    pub known: Vec<String>,
    /// The sizes.
    pub places: Places,
    /// Larger sizes of the parameters that the user gives none for.
    pub large: Places,
    /// The values of the parameters there.
    pub larger: Assumed,
    /// The GPU.
    pub gpu: Gpu,
    /// What counts tiles, once it is needed.
    pub counter: Rc<OnceCell<Counting>>,
    /// The numberings of tiles that were found before.
    pub numberings: Numberings,
    /// The time that no order can beat, once it is needed; nothing if the region is too complicated. All forms of a
    /// region have the same.
    floor: Rc<OnceCell<Option<FloorTime>>>,
}

impl Pricing {
    /// Prices plans for a region on a GPU, with values for its parameters by name.
    pub fn new(model: &Model, sizes: &BTreeMap<String, i64>, gpu: Gpu) -> Result<Self> {
        let assumed = Assumed::new(model, sizes)?;
        let places = Places::new(model, &assumed)?;
        let larger = assumed.times(LARGER, sizes);
        let large = Places::new(model, &larger)?;
        let known = sizes.keys().cloned().collect();
        let (counter, numberings, floor) = (Rc::default(), Numberings::default(), Rc::default());
        Ok(Self { assumed, known, places, large, larger, gpu, counter, numberings, floor })
    }

    /// Prices plans for another form of the region, with the same values: a form with larger arrays is no smaller
    /// problem.
    pub fn of_form(&self, model: &Model) -> Result<Self> {
        let (assumed, larger) = (self.assumed.clone(), self.larger.clone());
        let (places, large) = (Places::new(model, &assumed)?, Places::new(model, &larger)?);
        let (known, gpu, counter) = (self.known.clone(), self.gpu.clone(), Rc::clone(&self.counter));
        let (numberings, floor) = (Numberings::default(), Rc::clone(&self.floor));
        Ok(Self { assumed, known, places, large, larger, gpu, counter, numberings, floor })
    }

    /// Returns what counts tiles. The library is opened when it is first needed.
    pub fn counting(&self) -> &Counting {
        self.counter.get_or_init(Counting::open)
    }

    /// Returns the time that no order of the region can beat; nothing if the region is too complicated.
    pub fn floor(&self, model: &Model, dependences: &Dependences) -> Result<Option<FloorTime>> {
        if self.floor.get().is_none() {
            let floor = Floor::of(model, dependences, &self.places)?;
            let _ = self.floor.set(floor.map(|floor| floor.time(&self.gpu)));
        }
        Ok(self.floor.get().copied().flatten())
    }

    /// Returns the time of a kernel with a shape, in microseconds.
    pub fn time(&self, subject: &Subject, shape: &Shape) -> f64 {
        self.time_in(subject, shape, subject.mean_blocks(shape), &self.places)
    }

    /// Returns the time for larger sizes, for which `subject` was made.
    pub fn time_when_large(&self, subject: &Subject, shape: &Shape) -> f64 {
        self.time_in(subject, shape, subject.mean_blocks(shape), &self.large)
    }

    /// Returns sizes that are so many times as large where the user gives none.
    pub fn places_of(&self, model: &Model, factor: i64) -> Result<Places> {
        let given = self.known.iter().map(|name| (name.clone(), 0)).collect();
        Places::new(model, &self.assumed.times(factor, &given))
    }

    /// Returns the time for other sizes, for which `subject` was made.
    pub fn time_for(&self, subject: &Subject, shape: &Shape, places: &Places) -> f64 {
        self.time_in(subject, shape, subject.mean_blocks(shape), places)
    }

    /// True if each multiprocessor has one of so many blocks.
    pub fn fills_gpu(&self, blocks: f64) -> bool {
        blocks >= self.gpu.rates.multiprocessors as f64
    }

    /// Returns the time if a launch has so many blocks, of which so many have work at most.
    pub fn time_with_blocks(&self, subject: &Subject, shape: &Shape, blocks_of_launch: (f64, f64)) -> f64 {
        self.time_of(&subject.estimate_with(shape, blocks_of_launch, &self.places), &self.places)
    }

    fn time_in(&self, subject: &Subject, shape: &Shape, blocks_of_launch: f64, places: &Places) -> f64 {
        self.time_of(&subject.estimate(shape, blocks_of_launch, places), places)
    }

    fn time_of(&self, estimate: &Estimate, places: &Places) -> f64 {
        works(&[estimate], places, &self.gpu).iter().map(|work| time(work, &self.gpu).microseconds).sum()
    }
}

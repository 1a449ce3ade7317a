//! Chooses between a region as it is and its variants ([`scop::Variant`]), by price.

use std::borrow::Cow;

use polyhedra::Result;
use scop::wish::AlgorithmKind;
use scop::{Array, Dependences, Expansions, Model, Variant};

use crate::compared::Compared;
use crate::cost::Pricing;
use crate::price::time_at;
use crate::search::{Added, CLEARLY_BETTER, Considered, Found, search, why_not};
use crate::trial::Tried;
use crate::wishes::Wishes;

/// The form of a region that was taken, with its order.
pub struct Chosen {
    /// The position of the variant; nothing for the region as it is.
    pub variant: Option<usize>,
    /// Its order.
    pub found: Found,
    /// All forms that were tried, with the position of their best order.
    pub tried: Vec<Form>,
    /// The position of the form that was taken.
    pub taken: usize,
    /// What was compared if there were plans for several sizes.
    pub compared: Option<Compared>,
}

/// A form of a region that was tried.
pub struct Form {
    /// What distinguishes it, for people; nothing for the region as it is.
    pub about: Option<String>,
    /// Its arrays.
    pub arrays: Vec<Array>,
    /// Its orders.
    pub considered: Vec<Considered>,
    /// The position of the best of these.
    pub best: usize,
    /// The reason why the best of these was not taken; nothing if it was.
    pub why_not: Option<String>,
}

/// A region, with what is the same for all of its forms.
#[derive(Clone, Copy)]
pub struct Forms<'a> {
    /// The region without expansions.
    pub extracted: &'a Model,
    /// The region as it is, and its trial.
    pub own: Tried<'a>,
    /// Its expansions.
    pub expansions: &'a Expansions,
    /// The variants.
    pub variants: &'a [Variant],
}

impl<'a> Forms<'a> {
    /// Returns a form of the region, and its dependences: that of a variant, or the region as it is.
    pub fn form(self, variant: Option<usize>) -> (Cow<'a, Model>, &'a Dependences) {
        match variant.and_then(|position| self.variants.get(position)) {
            Some(variant) => {
                (Cow::Owned(variant.expansions.applied_to(self.extracted)), &variant.dependences)
            }
            None => (Cow::Borrowed(self.own.model), self.own.dependences),
        }
    }

    /// Finds the best order of the best form; nothing if the algorithm finds no order. Variants are tried if the region
    /// as it is takes much longer than every order must, or if the user asks for one.
    pub fn choose(self, algorithm: AlgorithmKind, explain: bool) -> Result<Option<Chosen>> {
        let wishes = self.own.wishes;
        let candidates = wishes.candidates(self.extracted, self.variants);
        let is_demanded = !candidates.demanded.is_empty();
        let has_choice = is_demanded || !candidates.possible.is_empty();
        let own = search(self.own, &Added::new(self.expansions), algorithm, explain || has_choice)?;
        let Some(own) = own else { return Ok(None) };
        let mut chosen = Chosen::own(own, self.own.model);
        let wanted = match (is_demanded, self.is_slow(&chosen)?) {
            (true, _) => &candidates.demanded,
            (false, true) => &candidates.possible,
            (false, false) => return Ok(Some(chosen)),
        };
        let demanded = "a wish asks for another form of the region";
        let mut is_first = is_demanded;
        for &position in wanted {
            let variant = &self.variants[position];
            let model = variant.expansions.applied_to(self.extracted);
            let pricing = self.own.pricing.of_form(&model)?;
            let found = self.search(variant, (&model, &variant.dependences), &pricing, algorithm, wishes)?;
            let Some(found) = found else { continue };
            let mut why_not = if is_first { None } else { chosen.why_not(&found) };
            if why_not.is_some() && self.is_better_if_large((&chosen, &found), (&model, &pricing))? {
                why_not = None;
            }
            let about = variant.described(self.extracted);
            let before = if is_first { demanded.to_owned() } else { format!("{about} is better") };
            chosen.add(position, (about, model.arrays), found, (why_not, before));
            is_first = false;
        }
        Ok(Some(chosen))
    }

    fn is_slow(self, chosen: &Chosen) -> Result<bool> {
        chosen.microseconds().map_or(Ok(false), |microseconds| self.own.is_slow(microseconds))
    }

    /// True if the region as it is has no kernels, and a variant is clearly better for sizes that are larger than the
    /// assumed ones. Where these are small, the host does the work in any case: the generated function compares the
    /// sizes with a threshold.
    fn is_better_if_large(
        self,
        (chosen, found): (&Chosen, &Found),
        (model, pricing): (&Model, &Pricing),
    ) -> Result<bool> {
        let (Some(host), Some(device)) = (&chosen.found.trial, &found.trial) else { return Ok(false) };
        let is_open = pricing.known.is_empty() && chosen.variant.is_none();
        if !is_open || !host.placed.kernels.is_empty() || device.placed.kernels.is_empty() {
            return Ok(false);
        }
        let own = self.own.pricing;
        let on_host = time_at(&host.placed, self.own.model, &own.large, &own.gpu)?;
        let on_device = time_at(&device.placed, model, &pricing.large, &pricing.gpu)?;
        Ok(on_host.zip(on_device).is_some_and(|(host, device)| device < CLEARLY_BETTER * host))
    }

    /// Returns the order that an algorithm finds for each form, with the position of the variant.
    pub fn all(self, algorithm: AlgorithmKind) -> Result<Vec<(Option<usize>, Found)>> {
        let own = search(self.own, &Added::new(self.expansions), algorithm, true)?;
        let mut all: Vec<_> = own.map(|found| (None, found)).into_iter().collect();
        for (position, variant) in self.variants.iter().enumerate() {
            let model = variant.expansions.applied_to(self.extracted);
            let pricing = self.own.pricing.of_form(&model)?;
            let parts = (&model, &variant.dependences);
            let found = self.search(variant, parts, &pricing, algorithm, self.own.wishes)?;
            all.extend(found.map(|found| (Some(position), found)));
        }
        Ok(all)
    }

    fn search(
        self,
        variant: &Variant,
        (model, dependences): (&Model, &Dependences),
        pricing: &Pricing,
        algorithm: AlgorithmKind,
        wishes: &Wishes<'_>,
    ) -> Result<Option<Found>> {
        // All forms have the floor of the region as it is, which is known from now on.
        self.own.pricing.floor(self.own.model, self.own.dependences)?;
        let tried = Tried { model, dependences, functions: self.own.functions, wishes, pricing };
        search(tried, &Added::new(&variant.expansions), algorithm, true)
    }
}

impl Chosen {
    fn own(mut found: Found, model: &Model) -> Self {
        let considered = std::mem::take(&mut found.considered);
        let form =
            Form { about: None, arrays: model.arrays.clone(), considered, best: found.taken, why_not: None };
        Self { variant: None, found, tried: vec![form], taken: 0, compared: None }
    }

    /// Returns the microseconds of what was taken so far, if it has a price.
    fn microseconds(&self) -> Option<f64> {
        let form = &self.tried[self.taken];
        form.considered.get(form.best).map(|best| best.price.microseconds)
    }

    /// Returns the reason why another form is not taken instead of what was taken so far; nothing if it is clearly
    /// better.
    fn why_not(&self, found: &Found) -> Option<String> {
        let new = found.considered.get(found.taken).map(|best| best.price.microseconds);
        match (new.zip(self.microseconds()), &found.trial, &self.found.trial) {
            (Some((new, old)), Some(one), Some(other)) => why_not((new, one), (old, other), CLEARLY_BETTER),
            _ => Some("it has no price".to_owned()),
        }
    }

    fn add(
        &mut self,
        position: usize,
        (about, arrays): (String, Vec<Array>),
        mut found: Found,
        (why_not, before): (Option<String>, String),
    ) {
        let considered = std::mem::take(&mut found.considered);
        let is_taken = why_not.is_none();
        self.tried.push(Form { about: Some(about), arrays, considered, best: found.taken, why_not });
        if is_taken {
            self.tried[self.taken].why_not = Some(before);
            (self.variant, self.found, self.taken) = (Some(position), found, self.tried.len() - 1);
        }
    }
}

//! One thing to stand for all its images.

use std::cmp::Ordering;
use std::fmt;

/// The least image of a thing, and how many images are what.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Canonical<X> {
    /// The least image: the same for all of an orbit.
    pub least: X,
    /// How many of the images are the thing itself.
    pub stabiliser: u64,
    /// How many images were looked at: the size of the group.
    pub images: u64,
}

/// Images that cannot be those under a group.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotAnOrbit {
    /// How many of the images are the thing itself.
    pub stabiliser: u64,
    /// How many images there are.
    pub images: u64,
}

impl fmt::Display for NotAnOrbit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let NotAnOrbit { stabiliser, images } = self;
        write!(
            f,
            "{stabiliser} of {images} images are the thing itself, but {stabiliser} does not divide \
             {images}: the symmetries are not a group"
        )
    }
}

impl std::error::Error for NotAnOrbit {}

impl<X> Canonical<X> {
    /// The number of different images.
    pub fn orbit(&self) -> Result<u64, NotAnOrbit> {
        match (self.images.checked_div(self.stabiliser), self.images.checked_rem(self.stabiliser)) {
            (Some(orbit), Some(0)) => Ok(orbit),
            _ => Err(NotAnOrbit { stabiliser: self.stabiliser, images: self.images }),
        }
    }
}

/// The canonical form of a thing from its images under a group, one for each
/// element and the **identity first**: the first image is the thing itself.
/// `None` if there are no images.
pub fn canonical<X: Ord>(images: impl IntoIterator<Item = X>) -> Option<Canonical<X>> {
    let mut images = images.into_iter();
    let thing = images.next()?;
    let mut least = None;
    let (mut stabiliser, mut count) = (1, 1);
    for image in images {
        count += 1;
        match image.cmp(&thing) {
            Ordering::Equal => stabiliser += 1,
            Ordering::Less if least.as_ref().is_none_or(|least| image < *least) => {
                least = Some(image);
            }
            _ => (),
        }
    }
    Some(Canonical { least: least.unwrap_or(thing), stabiliser, images: count })
}

#[cfg(test)]
mod tests {
    use super::super::{Group, Permutation};
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn images_that_are_not_an_orbit_are_noticed() {
        let form = canonical([5, 5, 3]).unwrap();
        assert_eq!(form, Canonical { least: 3, stabiliser: 2, images: 3 });
        let error = form.orbit().unwrap_err();
        assert_eq!(error, NotAnOrbit { stabiliser: 2, images: 3 });
        assert!(error.to_string().contains("2 does not divide 3"), "{error}");
        assert!(Canonical { least: 0, stabiliser: 0, images: 3 }.orbit().is_err());
    }

    #[test]
    fn no_images_have_no_least() {
        assert_eq!(canonical::<u8>([]), None);
        assert_eq!(canonical([7]), Some(Canonical { least: 7, stabiliser: 1, images: 1 }));
    }

    proptest! {
        #[test]
        fn orbit_times_stabiliser_is_the_group(
            generators in prop::collection::vec(Just(vec![0_u32, 1, 2, 3, 4]).prop_shuffle(), 0..3),
            thing in prop::collection::vec(0..3_u8, 5),
        ) {
            let generators = generators.into_iter().map(|p| Permutation::new(p).unwrap());
            let group = Group::from_generators(5, generators, 120).unwrap();
            let act = |p: &Permutation, x: &Vec<u8>| p.apply(x);
            let form = canonical(group.elements().map(|p| p.apply(&thing))).unwrap();
            let orbit = group.orbit(&thing, act);
            let stabiliser = group.stabiliser(&thing, act).unwrap();
            prop_assert_eq!(orbit.len() * stabiliser.size(), group.size());
            prop_assert_eq!(form.orbit(), Ok(orbit.len() as u64));
            prop_assert_eq!(form.stabiliser, stabiliser.size() as u64);
            prop_assert_eq!(Some(&form.least), orbit.iter().min());
            // The same from every image, and nothing else has it.
            for image in &orbit {
                let its = canonical(group.elements().map(|p| p.apply(image))).unwrap();
                prop_assert_eq!(&its, &form);
            }
        }
    }
}

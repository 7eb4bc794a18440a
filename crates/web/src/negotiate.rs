//! Which format an answer is written in: the best that the client accepts.
//!
//! A client says so by `Accept` with media types and their qualities (RFC 9110, 12.5.1), or names
//! a format in the address (`?format=svg`), which a link can do too. Several formats can have the
//! same media type; the first in the game's list is then taken. Where everything is accepted, the
//! answer is JSON.

use axum::http::StatusCode;
use pessoi::Format;

use crate::refusal::{Refusal, Why};

/// A range of media types, and how much it is wanted, in thousandths.
struct Wanted<'h> {
    main: &'h str,
    sub: &'h str,
    quality: u16,
}

impl Wanted<'_> {
    fn parse(part: &str) -> Option<Wanted<'_>> {
        let mut pieces = part.split(';').map(str::trim);
        let (main, sub) = pieces.next()?.split_once('/')?;
        let quality =
            pieces.find_map(|piece| piece.strip_prefix("q=").or(piece.strip_prefix("Q=")));
        let quality = match quality {
            None => 1000,
            Some(text) => {
                let number: f64 = text.trim().parse().ok()?;
                if !(0.0..=1.0).contains(&number) {
                    return None;
                }
                (number * 1000.0) as u16
            }
        };
        Some(Wanted { main: main.trim(), sub: sub.trim(), quality })
    }

    /// How closely it names a media type: 3 by its name, 1 as anything; `None` if it does not.
    fn names(&self, media: &str) -> Option<u8> {
        let (main, sub) = media.split(';').next()?.trim().split_once('/')?;
        if self.main == "*" && self.sub == "*" {
            return Some(1);
        }
        if !self.main.eq_ignore_ascii_case(main) {
            return None;
        }
        match self.sub {
            "*" => Some(2),
            own => own.eq_ignore_ascii_case(sub).then_some(3),
        }
    }
}

/// The format that is wanted most. Without a header, everything is accepted.
pub(crate) fn choose(
    formats: &[&'static dyn Format],
    accept: Option<&str>,
) -> Result<&'static dyn Format, Refusal> {
    let ranges: Vec<Wanted> =
        accept.unwrap_or("*/*").split(',').filter_map(Wanted::parse).collect();
    // The closest range says how much a media type is wanted.
    let quality = |media: &str| {
        let named = ranges.iter().filter_map(|range| Some((range.names(media)?, range.quality)));
        named.max_by_key(|(closeness, _)| *closeness).map_or(0, |(_, quality)| quality)
    };
    // Of those that are wanted alike JSON is first, and then the order of the list.
    let rank =
        |format: &&&'static dyn Format| (quality(format.media_type()), format.id() == "json");
    let mut best: Option<&&'static dyn Format> = None;
    for format in formats {
        if quality(format.media_type()) > 0 && best.is_none_or(|best| rank(&format) > rank(&best)) {
            best = Some(format);
        }
    }
    best.copied().ok_or_else(|| {
        let mut types: Vec<&str> = formats.iter().map(|format| format.media_type()).collect();
        types.dedup();
        Refusal::new(
            StatusCode::NOT_ACCEPTABLE,
            Why::NotAcceptable,
            format!("This answer can be written as {}.", types.join(", ")),
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use pessoi::{Catalogue, Verb};

    #[test]
    fn the_best_that_is_accepted() {
        let catalogue = Catalogue::standard();
        let card = catalogue.game("knight-tours").unwrap().card();
        let formats = catalogue.formats(card, Verb::Find);
        let chosen = |accept| choose(&formats, accept).map(Format::id);
        for (accept, id) in [
            (None, "json"),
            (Some("*/*"), "json"),
            (Some("application/json"), "json"),
            (Some("image/svg+xml"), "svg"),
            (Some("image/*"), "svg"),
            (Some("text/csv;q=0.5, image/svg+xml;q=0.4"), "csv"),
            (Some("application/json;q=0.1, */*;q=0.2, image/svg+xml"), "svg"),
            (Some("IMAGE/SVG+XML , */*;q=0"), "svg"),
            (Some("text/html,application/xhtml+xml,image/avif,*/*;q=0.8"), "json"),
            (Some("text/plain"), "text"),
        ] {
            assert_eq!(chosen(accept).ok(), Some(id), "{accept:?}");
        }
        for accept in ["video/mp4", "", "*/*;q=0", "nonsense", "application/json;q=2"] {
            assert!(chosen(Some(accept)).is_err(), "{accept}");
        }
    }
}

//! Decimal numbers as papers print them, of any size.
//!
//! `2081681994`, `2.08`, `6.6e152`, `6.6·10^152` and `10^4638` are read exactly, as a whole
//! number times a power of ten, because the counts here pass every floating-point type;
//! `10^6.20` as well as floats can. Words before and after are passed over.

use std::cmp::Ordering;

use num_bigint::BigInt;
use num_traits::{Signed, ToPrimitive, Zero};

/// `digits` times ten to the `power`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Decimal {
    digits: BigInt,
    power: i64,
}

/// Powers beyond this are no numbers of this trade, and would fill the memory.
const MOST_POWER: f64 = 1e6;

impl Decimal {
    /// The first number in a text; none if there is no digit in it.
    pub(super) fn first_in(text: &str) -> Option<Decimal> {
        let text = text.replace('−', "-");
        let digit = text.find(|c: char| c.is_ascii_digit())?;
        let start = if text[..digit].ends_with('-') { digit - 1 } else { digit };
        let mut rest = Reader(&text[start..]);
        let minus = rest.skip("-");
        let whole = rest.digits();
        let part =
            if rest.0.starts_with('.') && rest.0[1..].starts_with(|c: char| c.is_ascii_digit()) {
                rest.skip(".");
                rest.digits()
            } else {
                String::new()
            };
        let mut number =
            Decimal { digits: format!("{whole}{part}").parse().ok()?, power: -(part.len() as i64) };
        if rest.skip("e") || rest.skip("E") || rest.skip("·10^") || rest.skip("×10^") {
            number = number.shifted(rest.power()?)?;
        } else if whole == "10" && part.is_empty() && rest.skip("^") {
            number = Decimal { digits: 1.into(), power: 0 }.shifted(rest.power()?)?;
        }
        if minus {
            number.digits = -number.digits;
        }
        Some(number)
    }

    /// Times ten to a power, which need not be whole.
    fn shifted(mut self, power: f64) -> Option<Decimal> {
        if power.abs() > MOST_POWER {
            return None;
        }
        self.power += power.floor() as i64;
        let rest = 10f64.powf(power - power.floor());
        if rest > 1.0 {
            // As many digits as a float has.
            self.digits *= BigInt::from((rest * 1e14).round() as u64);
            self.power -= 14;
        }
        Some(self)
    }

    /// Whether the other number, rounded to the place of this one's last digit (halves away
    /// from zero), is this one.
    pub(super) fn is_rounding_of(&self, other: &Decimal) -> bool {
        let down = self.power - other.power;
        if down <= 0 {
            // The other has no digits beyond this one's last.
            return self.cmp(other) == Ordering::Equal;
        }
        let unit = BigInt::from(10).pow(down as u32);
        let half = &unit / 2;
        let size = (other.digits.abs() + half) / unit;
        size == self.digits.abs() && (self.digits.is_negative() == other.digits.is_negative())
    }

    pub(super) fn cmp(&self, other: &Decimal) -> Ordering {
        let least = self.power.min(other.power);
        let at_least =
            |number: &Decimal| &number.digits * BigInt::from(10).pow((number.power - least) as u32);
        at_least(self).cmp(&at_least(other))
    }

    /// This number divided by the other, as far as floats go.
    pub(super) fn ratio(&self, other: &Decimal) -> f64 {
        if other.digits.is_zero() {
            return f64::NAN;
        }
        // Both as 0.d… × 10^e, so that no digits are lost to the range.
        let scaled = |number: &Decimal| {
            let text = number.digits.to_string();
            let keep = text.len().min(30);
            let mantissa = text[..keep].parse::<BigInt>().ok().and_then(|m| m.to_f64());
            (mantissa.unwrap_or(f64::NAN), number.power + (text.len() - keep) as i64)
        };
        let ((a, x), (b, y)) = (scaled(self), scaled(other));
        a / b * 10f64.powi((x - y).clamp(-400, 400) as i32)
    }
}

/// What is left of a text.
struct Reader<'t>(&'t str);

impl Reader<'_> {
    /// Passes over these signs, spaces between them or not, if they come next.
    fn skip(&mut self, signs: &str) -> bool {
        let mut rest = self.0;
        for sign in signs.chars() {
            let Some(after) = rest.trim_start_matches(' ').strip_prefix(sign) else { return false };
            rest = after;
        }
        self.0 = rest;
        true
    }

    /// Digits, with thin signs between thousands passed over.
    fn digits(&mut self) -> String {
        let belongs = |c: char| c.is_ascii_digit() || c == '_';
        let end = self.0.find(|c| !belongs(c)).unwrap_or(self.0.len());
        let digits = self.0[..end].replace('_', "");
        self.0 = &self.0[end..];
        digits
    }

    /// A power of ten, perhaps in brackets.
    fn power(&mut self) -> Option<f64> {
        self.skip("(");
        let minus = self.skip("-");
        self.skip("+");
        let whole = self.digits();
        let part = if self.skip(".") { self.digits() } else { String::new() };
        let size: f64 = format!("{whole}.{part}0").parse().ok()?;
        Some(if minus { -size } else { size })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(text: &str) -> Decimal {
        Decimal::first_in(text).unwrap()
    }

    #[test]
    fn numbers_as_papers_print_them() {
        assert_eq!(number("6.6e3").cmp(&number("6600")), Ordering::Equal);
        assert_eq!(number("6.6·10^3"), number("6.6 × 10^3"));
        assert_eq!(number("10^2").cmp(&number("100.0")), Ordering::Equal);
        assert_eq!(number("−1.5").cmp(&number("-1.4")), Ordering::Less);
        assert_eq!(number("about 2.082·10^170 of them").cmp(&number("2082e167")), Ordering::Equal);
        assert_eq!(number("12 to 24.").cmp(&number("12")), Ordering::Equal);
        assert_eq!(number("1.2·10^-4").cmp(&number("0.00012")), Ordering::Equal);
        assert!((number("10^6.20").ratio(&number("1584893")) - 1.0).abs() < 1e-6);
        assert_eq!(number("10^(3)").cmp(&number("1000")), Ordering::Equal);
        for bad in ["", "none", ".", "1e9999999999", "10^9999999"] {
            assert!(Decimal::first_in(bad).is_none(), "{bad}");
        }
    }

    #[test]
    fn rounding() {
        assert!(number("0.69").is_rounding_of(&number("0.6941234")));
        assert!(!number("0.69").is_rounding_of(&number("0.695")));
        assert!(number("0.70").is_rounding_of(&number("0.695")));
        assert!(number("2.1e4").is_rounding_of(&number("20816")));
        assert!(!number("3.50").is_rounding_of(&number("3.49")));
        assert!(number("3.50").is_rounding_of(&number("3.5")));
        assert!(!number("-1").is_rounding_of(&number("1.2")));
    }

    #[test]
    fn ratios_of_very_large_numbers() {
        let ratio = number("6.7e4638").ratio(&number("6.6e4638"));
        assert!((ratio - 67.0 / 66.0).abs() < 1e-12, "{ratio}");
        assert!(number("1").ratio(&number("0")).is_nan());
    }
}

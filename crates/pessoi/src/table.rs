//! Facts and tables: what an answer says besides its value, typed until it is printed.
//!
//! A **datum** is one typed thing: a whole number of any size, a float, a decimal number with
//! more digits than a float holds, yes or no, a cell of the board, or text. A **fact** is a datum with an id for programs and words for people. A
//! **table** has columns with ids, words and kinds, and rows of data of these kinds.

use std::fmt;

use num_bigint::{BigInt, BigUint};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::board::Cell;

/// What a datum is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum DatumKind {
    /// A whole number, written as a decimal string.
    Integer,
    /// A number with a point.
    Float,
    /// A number with more digits, or smaller, than a float can be, written as a decimal
    /// string: `2.975734192043357249381`, `1.2e-400`.
    Decimal,
    /// Yes or no.
    Boolean,
    /// A cell of the board, as `row,column`.
    Cell,
    /// Anything else.
    Text,
}

/// One typed thing.
#[derive(Clone, Debug, PartialEq)]
pub enum Datum {
    /// A whole number.
    Integer(BigInt),
    /// A number with a point; always finite.
    Float(f64),
    /// A number with a point, with all the digits that are known.
    Decimal(String),
    /// Yes or no.
    Boolean(bool),
    /// A cell of the board.
    Cell(Cell),
    /// Anything else.
    Text(String),
    /// Nothing is known, or nothing applies.
    Missing,
}

impl Datum {
    /// A float; nothing if it is not finite.
    pub fn float(number: f64) -> Self {
        if number.is_finite() { Datum::Float(number) } else { Datum::Missing }
    }

    /// A float that is no more than a number, with as many digits as are shown: for a bound that is
    /// proved, which must hold as it is written.
    pub fn at_least(number: f64) -> Self {
        Datum::float(in_direction(number, f64::floor))
    }

    /// A float that is no less than a number, with as many digits as are shown.
    pub fn at_most(number: f64) -> Self {
        Datum::float(in_direction(number, f64::ceil))
    }

    /// What it is; `None` for nothing.
    pub fn kind(&self) -> Option<DatumKind> {
        Some(match self {
            Datum::Integer(_) => DatumKind::Integer,
            Datum::Float(_) => DatumKind::Float,
            Datum::Decimal(_) => DatumKind::Decimal,
            Datum::Boolean(_) => DatumKind::Boolean,
            Datum::Cell(_) => DatumKind::Cell,
            Datum::Text(_) => DatumKind::Text,
            Datum::Missing => return None,
        })
    }

    /// A number of any kind, as a float.
    pub fn as_f64(&self) -> Option<f64> {
        match self {
            Datum::Float(number) => Some(*number),
            Datum::Decimal(digits) => digits.parse().ok(),
            Datum::Integer(number) => num_traits::ToPrimitive::to_f64(number),
            _ => None,
        }
    }

    pub(crate) fn to_json(&self) -> serde_json::Value {
        match self {
            Datum::Integer(number) => number.to_string().into(),
            Datum::Float(number) => (*number).into(),
            Datum::Boolean(is) => (*is).into(),
            Datum::Cell(cell) => cell.to_string().into(),
            Datum::Decimal(text) | Datum::Text(text) => text.clone().into(),
            Datum::Missing => serde_json::Value::Null,
        }
    }

    fn from_json(value: &serde_json::Value, kind: DatumKind) -> Option<Datum> {
        Some(match (kind, value) {
            (_, serde_json::Value::Null) => Datum::Missing,
            (DatumKind::Integer, value) => Datum::Integer(
                value.as_str().filter(|text| crate::decimal::is_plain(text))?.parse().ok()?,
            ),
            (DatumKind::Float, value) => Datum::Float(value.as_f64()?),
            (DatumKind::Decimal, value) => {
                let text = value.as_str()?;
                let is_number = text.bytes().all(|b| b.is_ascii_digit() || b"+-.e".contains(&b))
                    && text.parse::<f64>().is_ok();
                Datum::Decimal(is_number.then(|| text.to_owned())?)
            }
            (DatumKind::Boolean, value) => Datum::Boolean(value.as_bool()?),
            (DatumKind::Cell, value) => Datum::Cell(value.as_str()?.parse().ok()?),
            (DatumKind::Text, value) => Datum::Text(value.as_str()?.to_owned()),
        })
    }
}

/// As people read it: `yes` and `no`, floats with at most six digits that matter.
impl fmt::Display for Datum {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = match self {
            Datum::Integer(number) => number.to_string(),
            Datum::Float(number) => six_digits(*number),
            Datum::Boolean(true) => "yes".into(),
            Datum::Boolean(false) => "no".into(),
            Datum::Cell(cell) => cell.to_string(),
            Datum::Decimal(text) | Datum::Text(text) => text.clone(),
            Datum::Missing => "–".into(),
        };
        f.pad(&text)
    }
}

/// A number with at most five places after the point, and at most six digits where it is less than a
/// million, rounded in a direction.
fn in_direction(number: f64, round: fn(f64) -> f64) -> f64 {
    let places = (0..=5).rev().find(|&places| number.abs() * 10f64.powi(places) < 1e6);
    let scale = 10f64.powi(places.unwrap_or(0));
    // The float nearest to these digits may lie on either side of them; as written they hold.
    round(number * scale) / scale
}

/// A float with at most six digits that matter, and no zeros at the end.
fn six_digits(number: f64) -> String {
    let size = number.abs();
    let trimmed = |text: &str| {
        let digits = if text.contains('.') {
            text.trim_end_matches('0').trim_end_matches('.')
        } else {
            text
        };
        digits.to_owned()
    };
    if size != 0.0 && !(1e-4..1e15).contains(&size) {
        let text = format!("{number:.5e}");
        let (digits, power) = text.split_once('e').unwrap_or((&text, "0"));
        return format!("{}e{power}", trimmed(digits));
    }
    let before = if size < 1.0 { 0 } else { size.log10().floor() as usize + 1 };
    // Zeros after the point do not matter.
    let zeros = if size > 0.0 && size < 0.1 { (-size.log10()).ceil() as usize - 1 } else { 0 };
    trimmed(&format!("{number:.*}", (6 + zeros).saturating_sub(before)))
}

macro_rules! whole {
    ($($kind:ty),*) => {$(
        impl From<$kind> for Datum {
            fn from(number: $kind) -> Self {
                Datum::Integer(number.into())
            }
        }
    )*};
}
whole!(u8, u16, u32, u64, usize, u128, i32, i64, BigUint, BigInt);

impl From<&BigUint> for Datum {
    fn from(number: &BigUint) -> Self {
        Datum::Integer(number.clone().into())
    }
}

impl From<f64> for Datum {
    fn from(number: f64) -> Self {
        Datum::float(number)
    }
}

impl From<bool> for Datum {
    fn from(is: bool) -> Self {
        Datum::Boolean(is)
    }
}

impl From<Cell> for Datum {
    fn from(cell: Cell) -> Self {
        Datum::Cell(cell)
    }
}

impl From<&str> for Datum {
    fn from(text: &str) -> Self {
        Datum::Text(text.to_owned())
    }
}

impl From<String> for Datum {
    fn from(text: String) -> Self {
        Datum::Text(text)
    }
}

impl<T: Into<Datum>> From<Option<T>> for Datum {
    fn from(maybe: Option<T>) -> Self {
        maybe.map_or(Datum::Missing, Into::into)
    }
}

/// A datum with an id and words.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "RawFact", into = "RawFact")]
pub struct Fact {
    /// For programs.
    pub id: String,
    /// For people.
    pub text: String,
    /// What is so.
    pub value: Datum,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct RawFact {
    id: String,
    text: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    kind: Option<DatumKind>,
    value: serde_json::Value,
}

impl TryFrom<RawFact> for Fact {
    type Error = String;

    fn try_from(raw: RawFact) -> Result<Self, String> {
        let value = match raw.kind {
            Some(kind) => Datum::from_json(&raw.value, kind),
            None => raw.value.is_null().then_some(Datum::Missing),
        };
        let value = value.ok_or_else(|| format!("the fact {:?} is not of its kind", raw.id))?;
        Ok(Fact { id: raw.id, text: raw.text, value })
    }
}

impl From<Fact> for RawFact {
    fn from(fact: Fact) -> Self {
        let (kind, value) = (fact.value.kind(), fact.value.to_json());
        RawFact { id: fact.id, text: fact.text, kind, value }
    }
}

/// A column of a table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Column {
    /// For programs.
    pub id: String,
    /// For people.
    pub text: String,
    /// What its data are.
    pub kind: DatumKind,
}

/// Rows of data under headings.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "RawTable", into = "RawTable")]
pub struct Table {
    /// For programs.
    pub id: String,
    /// What it shows, for people.
    pub title: String,
    /// The headings.
    pub columns: Vec<Column>,
    /// The rows, each as long as the headings.
    pub rows: Vec<Vec<Datum>>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct RawTable {
    id: String,
    title: String,
    columns: Vec<Column>,
    rows: Vec<Vec<serde_json::Value>>,
}

impl TryFrom<RawTable> for Table {
    type Error = String;

    fn try_from(raw: RawTable) -> Result<Self, String> {
        let wrong = || format!("a row of the table {:?} does not fit its columns", raw.id);
        let row = |row: &Vec<serde_json::Value>| {
            if row.len() != raw.columns.len() {
                return Err(wrong());
            }
            let data = row.iter().zip(&raw.columns);
            data.map(|(value, column)| Datum::from_json(value, column.kind).ok_or_else(wrong))
                .collect()
        };
        let rows = raw.rows.iter().map(row).collect::<Result<_, String>>()?;
        Ok(Table { id: raw.id, title: raw.title, columns: raw.columns, rows })
    }
}

impl From<Table> for RawTable {
    fn from(table: Table) -> Self {
        let rows = table.rows.iter().map(|row| row.iter().map(Datum::to_json).collect()).collect();
        RawTable { id: table.id, title: table.title, columns: table.columns, rows }
    }
}

impl Table {
    /// A table without rows; columns are given as (id, words, kind).
    pub fn new(id: &str, title: &str, columns: &[(&str, &str, DatumKind)]) -> Self {
        let column = |&(id, text, kind): &(&str, &str, DatumKind)| Column {
            id: id.to_owned(),
            text: text.to_owned(),
            kind,
        };
        let columns = columns.iter().map(column).collect();
        Table { id: id.to_owned(), title: title.to_owned(), columns, rows: Vec::new() }
    }

    /// Adds a row.
    ///
    /// # Panics
    ///
    /// If the data are not of the kinds of the columns: an error of the program.
    pub fn push<const N: usize>(&mut self, row: [Datum; N]) {
        self.push_row(row.into());
    }

    /// Adds a row of any length; it must fit the columns.
    ///
    /// # Panics
    ///
    /// If the data are not of the kinds of the columns: an error of the program.
    pub fn push_row(&mut self, row: Vec<Datum>) {
        let fits = row.len() == self.columns.len()
            && row
                .iter()
                .zip(&self.columns)
                .all(|(datum, column)| datum.kind().is_none_or(|kind| kind == column.kind));
        assert!(fits, "a row of the table {:?} does not fit its columns: {row:?}", self.id);
        self.rows.push(row);
    }

    /// The number of a column.
    pub fn column(&self, id: &str) -> Option<usize> {
        self.columns.iter().position(|column| column.id == id)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_keep_their_types() {
        let mut table = Table::new(
            "layers",
            "Layers",
            &[
                ("depth", "depth", DatumKind::Integer),
                ("share", "share", DatumKind::Float),
                ("first", "first cell", DatumKind::Cell),
            ],
        );
        let large = BigUint::from(10u32).pow(30);
        table.push([large.into(), 0.1.into(), Cell { row: 2, col: 0 }.into()]);
        table.push([1u32.into(), f64::NAN.into(), Datum::Missing]);
        let json = serde_json::to_string(&table).unwrap();
        assert!(json.contains(r#"["1000000000000000000000000000000",0.1,"3,1"]"#), "{json}");
        assert!(json.contains(r#"["1",null,null]"#), "{json}");
        assert_eq!(serde_json::from_str::<Table>(&json).unwrap(), table);
        for (good, bad) in [("0.1", "\"x\""), ("\"1\"", "1"), ("\"3,1\"", "\"0,1\""), ("id", "ID")]
        {
            assert!(serde_json::from_str::<Table>(&json.replacen(good, bad, 1)).is_err(), "{bad}");
        }
    }

    #[test]
    fn floats_have_six_digits_that_matter() {
        for (number, text) in [
            (0.0, "0"),
            (3.368_421_05, "3.36842"),
            (-2.5, "-2.5"),
            (0.012_345_678, "0.0123457"),
            (0.1, "0.1"),
            (999_999.5, "1000000"),
            (123_456_789.0, "123456789"),
            (1.5e-7, "1.5e-7"),
            (2.0e38, "2e38"),
        ] {
            assert_eq!(Datum::from(number).to_string(), text);
        }
    }

    #[test]
    fn bounds_hold_as_they_are_shown() {
        for (number, least, most) in [
            (4.273_788, "4.27378", "4.27379"),
            (39.141_04, "39.141", "39.1411"),
            (139.123_45, "139.123", "139.124"),
            (9.999_999, "9.99999", "10"),
            (999.999_7, "999.999", "1000"),
            (1_234_567.8, "1234567", "1234568"),
            (0.5, "0.5", "0.5"),
            (-0.401_029_99, "-0.40103", "-0.40102"),
            (1e-9, "0", "1e-5"),
        ] {
            let (below, above) = (Datum::at_least(number), Datum::at_most(number));
            assert_eq!((below.to_string(), above.to_string()), (least.to_owned(), most.to_owned()));
        }
        assert_eq!(Datum::at_most(f64::INFINITY), Datum::Missing);
    }

    #[test]
    fn facts_keep_their_types() {
        for value in [Datum::from(7u32), true.into(), 0.5.into(), "x".into(), Datum::Missing] {
            let fact = Fact { id: "a".into(), text: "A".into(), value };
            let json = serde_json::to_string(&fact).unwrap();
            assert_eq!(serde_json::from_str::<Fact>(&json).unwrap(), fact, "{json}");
        }
    }
}

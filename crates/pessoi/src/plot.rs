//! Plots: numbers as pictures, in SVG.
//!
//! A [`Plot`] has **series** of points over one horizontal axis: a point is a place on it and an
//! **amount**. A [`Chart`] has **rows**, each with a name and an amount, or with the ends between
//! which the amount lies. An axis is *even*, or it goes by powers of ten if its amounts differ by
//! a factor of a thousand or more. Amounts can be larger than a float holds, so their logarithms
//! are kept too. A 0 has no place on an axis by powers of ten and stands below it, on a line of
//! its own.
//!
//! Everything that is drawn here can be read by light and in the dark: the picture follows what
//! the reader has set (`prefers-color-scheme`). Each series has a colour and a mark of its own,
//! so that it is known without colours as well. The colours are those of M. Okabe and K. Ito
//! (2008), which people who are colour-blind can tell apart.

use std::fmt::Write;

use num_bigint::{BigInt, Sign};
use num_traits::ToPrimitive;

use crate::export::{self, xml};
use crate::table::Datum;

/// How pictures look by light and in the dark: classes for what is drawn.
///
/// Renderers that know no dark mode show the light one.
pub(crate) const LOOKS: &str = "<style>\
.paper{fill:#fbfaf6}.ink{fill:#1c1c1c}.faint{fill:#5d584d}.line{stroke:#5d584d}\
.grid{stroke:#dcd7ca}.rim{stroke:#fbfaf6}\
.head{font-weight:600}.thick{stroke-width:2.5}.dashed{stroke-dasharray:5 4}\
.f0{fill:#0072b2}.f1{fill:#c04a00}.f2{fill:#007a59}.f3{fill:#a8487f}.f4{fill:#8a6a00}.f5{fill:#5b5b5b}\
.l0{stroke:#0072b2}.l1{stroke:#c04a00}.l2{stroke:#007a59}.l3{stroke:#a8487f}.l4{stroke:#8a6a00}\
.l5{stroke:#5b5b5b}\
@media (prefers-color-scheme:dark){\
.paper{fill:#17191d}.ink{fill:#eceae4}.faint{fill:#b3aea2}.line{stroke:#b3aea2}\
.grid{stroke:#363a41}.rim{stroke:#17191d}\
.f0{fill:#56b4e9}.f1{fill:#f08a4b}.f2{fill:#3cc9a0}.f3{fill:#e39ac4}.f4{fill:#e6c229}.f5{fill:#bdbdbd}\
.l0{stroke:#56b4e9}.l1{stroke:#f08a4b}.l2{stroke:#3cc9a0}.l3{stroke:#e39ac4}.l4{stroke:#e6c229}\
.l5{stroke:#bdbdbd}}</style>\n";

/// The letters of all pictures here.
pub(crate) const LETTERS: &str = "system-ui, 'DejaVu Sans', Arial, sans-serif";

/// Colours of series; further ones begin again, with other marks.
const COLOURS: usize = 6;
/// Amounts that differ by this factor or more are drawn by powers of ten.
const WIDE: f64 = 3.0;
/// No axis has more marks.
const MOST_MARKS: u32 = 50;
/// So many columns carry their amounts in figures.
const MOST_FIGURES: usize = 16;

/// A number to be drawn, which may be larger than a float.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Amount {
    value: f64,
    log10: f64,
}

impl Amount {
    /// A float; nothing if it is not finite.
    pub fn of(value: f64) -> Option<Self> {
        value.is_finite().then(|| Amount { value, log10: value.log10() })
    }

    /// A positive number of any size.
    pub fn from_log10(log10: f64) -> Option<Self> {
        log10.is_finite().then(|| Amount { value: 10f64.powf(log10), log10 })
    }

    /// A number of any kind in a table.
    pub fn of_datum(datum: &Datum) -> Option<Self> {
        match datum {
            Datum::Integer(number) => Some(Amount::of_integer(number)),
            other => Amount::of(other.as_f64()?),
        }
    }

    /// A whole number.
    pub fn of_integer(number: &BigInt) -> Self {
        let cut = number.bits().saturating_sub(64);
        let top = (number.magnitude() >> cut).to_f64().unwrap_or(0.0);
        let log10 = match number.sign() {
            Sign::Plus => top.log10() + cut as f64 * 2f64.log10(),
            Sign::NoSign => f64::NEG_INFINITY,
            Sign::Minus => f64::NAN,
        };
        Amount { value: number.to_f64().unwrap_or(f64::INFINITY), log10 }
    }

    fn is_zero(self) -> bool {
        self.value == 0.0
    }

    /// The amount in a few figures.
    fn figures(self) -> String {
        if self.value.is_finite() && self.value.abs() < 1e6 {
            return plain(self.value);
        }
        let power = self.log10.floor();
        let digits = plain((10f64.powf(self.log10 - power) * 100.0).round() / 100.0);
        format!("{digits}·10{}", raised(power as i64))
    }
}

/// A number below a million, without needless digits.
fn plain(value: f64) -> String {
    if value.fract() == 0.0 && value.abs() < 1e15 {
        let digits = export::thousands(value.abs() as u64);
        return if value < 0.0 { format!("−{digits}") } else { digits };
    }
    // Three figures are enough.
    let digits = format!("{value:.2e}").parse().unwrap_or(value);
    Datum::float(digits).to_string().replace('-', "−")
}

/// A whole number as an exponent.
fn raised(power: i64) -> String {
    let digit = |c: char| match c {
        '-' => '⁻',
        '1' => '¹',
        '2' => '²',
        '3' => '³',
        c => char::from_u32(0x2070 + c.to_digit(10).unwrap_or(0)).unwrap_or('⁰'),
    };
    power.to_string().chars().map(digit).collect()
}

/// Points that belong together.
#[derive(Clone, Debug)]
pub struct Series {
    name: String,
    points: Vec<(f64, Amount)>,
}

impl Series {
    /// Points, by their places.
    pub fn new(name: &str, mut points: Vec<(f64, Amount)>) -> Self {
        points.sort_by(|a, b| a.0.total_cmp(&b.0));
        Series { name: name.to_owned(), points }
    }
}

/// Series over an axis.
#[derive(Clone, Debug)]
#[must_use]
pub struct Plot {
    title: String,
    across: String,
    up: String,
    series: Vec<Series>,
}

/// One row of a chart.
#[derive(Clone, Debug)]
pub struct Row {
    /// Its name.
    pub name: String,
    /// The amount.
    pub amount: Amount,
    /// The ends between which it lies, if it is not known exactly.
    pub ends: Option<(Amount, Amount)>,
}

/// Named amounts.
#[derive(Clone, Debug)]
#[must_use]
pub struct Chart {
    title: String,
    across: String,
    rows: Vec<Row>,
    line: Option<(String, Amount)>,
}

/// An axis: where amounts are on it, from 0 to 1, and what is written along it.
struct Axis {
    by_powers: bool,
    low: f64,
    high: f64,
    /// Where the amounts above 0 begin.
    foot: f64,
    /// Whether an axis by powers of ten has a place for 0.
    has_zero: bool,
}

/// The share of an axis by powers of ten that is left to zeros.
const FOOT: f64 = 0.08;

impl Axis {
    /// An axis that has room for these amounts, and for 0 if `from_zero`.
    fn of(amounts: &[Amount], from_zero: bool) -> Axis {
        let logs = amounts.iter().map(|amount| amount.log10).filter(|log| log.is_finite());
        let (least, most) =
            logs.fold((f64::MAX, f64::MIN), |(least, most), log| (least.min(log), most.max(log)));
        let is_huge = amounts.iter().any(|amount| !amount.value.is_finite());
        let is_negative = amounts.iter().any(|amount| amount.value < 0.0);
        if !is_negative && (is_huge || most - least >= WIDE) {
            let (low, mut high) = (least.floor(), most.ceil());
            if high <= low {
                high += 1.0;
            }
            // A column must be seen if its amount is 1, too.
            let has_zero = amounts.iter().any(|amount| amount.is_zero());
            let foot = if has_zero || from_zero { FOOT } else { 0.0 };
            return Axis { by_powers: true, low, high, foot, has_zero };
        }
        let values = amounts.iter().map(|amount| amount.value);
        let (mut low, mut high) =
            values.fold((f64::MAX, f64::MIN), |(low, high), v| (low.min(v), high.max(v)));
        if amounts.is_empty() {
            (low, high) = (0.0, 1.0);
        }
        if from_zero || (low > 0.0 && low < 0.5 * high) {
            (low, high) = (low.min(0.0), high.max(0.0));
        }
        if high <= low {
            (low, high) = (low - 0.5, high + 0.5);
        }
        let step = step(high - low);
        Axis {
            by_powers: false,
            low: (low / step).floor() * step,
            high: (high / step - 1e-9).ceil() * step,
            foot: 0.0,
            has_zero: false,
        }
    }

    fn at(&self, amount: Amount) -> f64 {
        if self.by_powers && amount.is_zero() {
            return 0.0;
        }
        let value = if self.by_powers { amount.log10 } else { amount.value };
        self.foot + (1.0 - self.foot) * (value - self.low) / (self.high - self.low)
    }

    /// Places and what is written there.
    fn marks(&self) -> Vec<(f64, String)> {
        if !self.by_powers {
            let step = step(self.high - self.low);
            let count = ((self.high - self.low) / step).round() as u32;
            let values = (0..=count.min(MOST_MARKS)).map(|k| self.low + f64::from(k) * step);
            // Adding up steps leaves a trace where 0 should be.
            let values = values.map(|v| if v.abs() < step * 1e-9 { 0.0 } else { v });
            let amounts = values.filter_map(Amount::of);
            return amounts.map(|amount| (self.at(amount), amount.figures())).collect();
        }
        let (low, high) = (self.low as i64, self.high as i64);
        let every = ((high - low) as u64).div_ceil(7).max(1) as usize;
        let powers = (low..=high).step_by(every);
        let mut marks: Vec<(f64, String)> = powers
            .filter_map(|power| {
                let amount = Amount::from_log10(power as f64)?;
                let text = match power {
                    -3..=5 => plain(10f64.powi(power as i32)),
                    power => format!("10{}", raised(power)),
                };
                Some((self.at(amount), text))
            })
            .collect();
        if self.has_zero {
            marks.insert(0, (0.0, "0".into()));
        }
        marks
    }
}

/// A round step that divides a length into four to eight.
fn step(length: f64) -> f64 {
    let rough = length / 5.0;
    let power = 10f64.powf(rough.log10().floor());
    let times = [1.0, 2.0, 5.0].into_iter().find(|times| times * power >= rough * 0.75);
    times.unwrap_or(10.0) * power
}

/// The size of a plot, and the room around what is drawn.
const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 400.0;
const LEFT: f64 = 84.0;
const RIGHT: f64 = 24.0;
const TOP: f64 = 44.0;
const BOTTOM: f64 = 58.0;
/// The height of a line of the legend, and of a row of a chart.
const LINE: f64 = 20.0;
const ROW: f64 = 30.0;
/// How wide a letter is, at most, of 13 units of height.
const LETTER: f64 = 7.4;

/// A number with at most two decimals.
pub(crate) fn rounded(number: f64) -> f64 {
    (number * 100.0).round() / 100.0 + 0.0
}

/// A text that ends here if it would not fit.
fn fitted(text: &str, room: f64) -> String {
    let most = (room / LETTER) as usize;
    if text.chars().count() <= most {
        return text.to_owned();
    }
    text.chars().take(most.saturating_sub(1)).chain(['…']).collect()
}

/// The beginning of a picture, with its name.
pub(crate) fn begin(width: f64, height: f64, title: &str) -> String {
    let (width, height) = (rounded(width), rounded(height));
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" width=\"{width}\" \
         height=\"{height}\" viewBox=\"0 0 {width} {height}\" font-family=\"{LETTERS}\">\n\
         <title>{}</title>\n{LOOKS}\
         <rect class=\"paper\" width=\"{width}\" height=\"{height}\" rx=\"6\"/>\n",
        xml(title)
    )
}

/// A text at a place.
fn text(svg: &mut String, class: &str, anchor: &str, size: f64, (x, y): (f64, f64), text: &str) {
    let (x, y) = (rounded(x), rounded(y));
    // Writing to a string cannot fail, here and below.
    let _ = writeln!(
        svg,
        "<text class=\"{class}\" text-anchor=\"{anchor}\" font-size=\"{size}\" x=\"{x}\" \
         y=\"{y}\">{}</text>",
        xml(text)
    );
}

fn line(svg: &mut String, class: &str, (x1, y1): (f64, f64), (x2, y2): (f64, f64)) {
    let [x1, y1, x2, y2] = [x1, y1, x2, y2].map(rounded);
    let _ =
        writeln!(svg, "<line class=\"{class}\" x1=\"{x1}\" y1=\"{y1}\" x2=\"{x2}\" y2=\"{y2}\"/>");
}

/// The mark of a series around a place.
fn mark(series: usize, (x, y): (f64, f64)) -> String {
    let (colour, [x, y]) = (series % COLOURS, [x, y].map(rounded));
    let around = |corners: [(f64, f64); 4]| {
        let corners = corners.map(|(dx, dy)| format!("{},{}", rounded(x + dx), rounded(y + dy)));
        format!("<polygon class=\"f{colour}\" points=\"{}\">", corners.join(" "))
    };
    match (series + series / COLOURS) % 4 {
        0 => format!("<circle class=\"f{colour}\" cx=\"{x}\" cy=\"{y}\" r=\"4\">"),
        1 => around([(-3.6, -3.6), (3.6, -3.6), (3.6, 3.6), (-3.6, 3.6)]),
        2 => around([(0.0, -5.0), (5.0, 0.0), (0.0, 5.0), (-5.0, 0.0)]),
        _ => around([(0.0, -4.6), (4.6, 3.8), (0.0, 3.8), (-4.6, 3.8)]),
    }
}

/// The end of what [`mark`] began.
fn marked(shape: &str, what: &str) -> String {
    let name = if shape.starts_with("<circle") { "circle" } else { "polygon" };
    format!("{shape}<title>{}</title></{name}>\n", xml(what))
}

impl Plot {
    /// A plot with the words along its axes, and nothing on it yet.
    pub fn new(title: &str, across: &str, up: &str) -> Self {
        let [title, across, up] = [title, across, up].map(str::to_owned);
        Plot { title, across, up, series: Vec::new() }
    }

    /// The same with one more series; one without points is left out.
    pub fn with(mut self, series: Series) -> Self {
        if !series.points.is_empty() {
            self.series.push(series);
        }
        self
    }

    /// Whether there is nothing on it.
    pub fn is_empty(&self) -> bool {
        self.series.is_empty()
    }

    /// The plot, as one SVG element that needs nothing else.
    pub fn to_svg(&self) -> String {
        let amounts: Vec<Amount> =
            self.series.iter().flat_map(|series| &series.points).map(|point| point.1).collect();
        let places: Vec<f64> =
            self.series.iter().flat_map(|series| &series.points).map(|point| point.0).collect();
        // Whole places with one amount each are drawn as columns.
        let is_whole = places.iter().all(|place| place.fract() == 0.0);
        let is_columns = self.series.len() == 1 && is_whole && places.len() <= 120;
        let across = Across::of(&places, is_whole, is_columns);
        let up = Axis::of(&amounts, is_columns);
        let legend = self.legend();
        let top = TOP + LINE * legend.len() as f64;
        let (width, height) = (WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM);
        let x = |place: f64| LEFT + width * across.at(place);
        let y = |share: f64| top + height * (1.0 - share);

        let mut svg = begin(WIDTH, HEIGHT + LINE * legend.len() as f64, &self.title);
        text(
            &mut svg,
            "ink head",
            "start",
            15.0,
            (LEFT, 27.0),
            &fitted(&self.title, (WIDTH - LEFT - RIGHT) * 0.86),
        );
        for (down, entries) in legend.iter().enumerate() {
            let at = TOP + LINE * down as f64 + 6.0;
            for &(series, left) in entries {
                svg += &marked(&mark(series, (left + 5.0, at - 4.5)), "");
                let name = &self.series[series].name;
                text(&mut svg, "ink", "start", 13.0, (left + 16.0, at), name);
            }
        }
        for (share, words) in up.marks() {
            line(&mut svg, "grid", (LEFT, y(share)), (WIDTH - RIGHT, y(share)));
            text(&mut svg, "faint", "end", 12.0, (LEFT - 8.0, y(share) + 4.0), &words);
        }
        for (place, words) in across.marks() {
            line(&mut svg, "line", (x(place), y(0.0)), (x(place), y(0.0) + 5.0));
            text(&mut svg, "faint", "middle", 12.0, (x(place), y(0.0) + 20.0), &words);
        }
        line(&mut svg, "line", (LEFT, y(0.0)), (WIDTH - RIGHT, y(0.0)));
        let middle = LEFT + width / 2.0;
        text(&mut svg, "ink", "middle", 13.0, (middle, y(0.0) + 44.0), &self.across);
        let _ = writeln!(
            svg,
            "<text class=\"ink\" text-anchor=\"middle\" font-size=\"13\" transform=\"translate(18,{}) \
             rotate(-90)\">{}</text>",
            rounded(top + height / 2.0),
            xml(&fitted(&self.up, height))
        );
        for (number, series) in self.series.iter().enumerate() {
            let colour = number % COLOURS;
            if is_columns {
                let wide = (width * across.unit() * 0.72).clamp(1.0, 46.0);
                for &(place, amount) in &series.points {
                    let share = up.at(amount);
                    let base =
                        if up.by_powers { 0.0 } else { up.at(Amount { value: 0.0, log10: 0.0 }) };
                    let (from, to) = (y(base.max(share)), y(base.min(share)));
                    let [left, tall, from] = [x(place) - wide / 2.0, to - from, from].map(rounded);
                    let what = format!("{} {place}: {}", self.across, amount.figures());
                    let _ = writeln!(
                        svg,
                        "<rect class=\"f{colour}\" x=\"{left}\" y=\"{from}\" width=\"{}\" \
                         height=\"{tall}\"><title>{}</title></rect>",
                        rounded(wide),
                        xml(&what)
                    );
                    if series.points.len() <= MOST_FIGURES {
                        let at = (x(place), y(share) - 5.0);
                        text(&mut svg, "ink", "middle", 11.0, at, &amount.figures());
                    }
                }
                continue;
            }
            // Where several points have one place, the line goes through their middle.
            let groups = series.points.chunk_by(|a, b| a.0 >= b.0);
            let points = groups.map(|group| {
                let sum: f64 = group.iter().map(|point| up.at(point.1)).sum();
                [x(group[0].0), y(sum / group.len() as f64)].map(rounded)
            });
            let points: Vec<String> = points.map(|[x, y]| format!("{x},{y}")).collect();
            let _ = writeln!(
                svg,
                "<polyline class=\"l{colour}\" points=\"{}\" fill=\"none\" stroke-width=\"2\" \
                 stroke-linejoin=\"round\"/>",
                points.join(" ")
            );
            for &(place, amount) in &series.points {
                let shape = mark(number, (x(place), y(up.at(amount))));
                let what = format!(
                    "{}, {} {}: {}",
                    series.name,
                    self.across,
                    plain(place),
                    amount.figures()
                );
                svg += &marked(&shape, &what);
            }
        }
        svg + "</svg>\n"
    }

    /// The series in the lines of the legend, each with where it begins; none for one series.
    fn legend(&self) -> Vec<Vec<(usize, f64)>> {
        let mut lines: Vec<Vec<(usize, f64)>> = Vec::new();
        if self.series.len() < 2 {
            return lines;
        }
        let mut left = WIDTH;
        for (number, series) in self.series.iter().enumerate() {
            let wide = 16.0 + LETTER * series.name.chars().count() as f64 + 18.0;
            if left + wide > WIDTH - RIGHT + 18.0 {
                lines.push(Vec::new());
                left = LEFT;
            }
            if let Some(line) = lines.last_mut() {
                line.push((number, left));
            }
            left += wide;
        }
        lines
    }
}

/// The horizontal axis of a plot.
struct Across {
    low: f64,
    high: f64,
    is_whole: bool,
}

impl Across {
    fn of(places: &[f64], is_whole: bool, is_columns: bool) -> Across {
        let low = places.iter().copied().fold(f64::MAX, f64::min);
        let high = places.iter().copied().fold(f64::MIN, f64::max);
        // Room beside the first and the last.
        let room = if is_columns { 0.5 } else { 0.02 * (high - low) };
        let room = if high <= low { 0.5 } else { room };
        Across { low: low - room, high: high + room, is_whole }
    }

    fn at(&self, place: f64) -> f64 {
        (place - self.low) / (self.high - self.low)
    }

    /// The length of 1.
    fn unit(&self) -> f64 {
        1.0 / (self.high - self.low)
    }

    fn marks(&self) -> Vec<(f64, String)> {
        let length = self.high - self.low;
        let mut step = step(length) * if length > 12.0 { 0.5 } else { 1.0 };
        if self.is_whole {
            // Each place has its number, as long as there is room.
            step = if length <= 21.0 { 1.0 } else { step.round().max(1.0) };
        }
        // Numbers so large that 1 is nothing beside them have no marks.
        let first = (self.low / step).ceil();
        let places = (0..MOST_MARKS).map(|k| (first + f64::from(k)) * step);
        let places = places.take_while(|place| place.is_finite() && *place <= self.high);
        places.map(|place| (place, plain(place))).collect()
    }
}

impl Chart {
    /// A chart with the words along its axis.
    pub fn new(title: &str, across: &str) -> Self {
        let [title, across] = [title, across].map(str::to_owned);
        Chart { title, across, rows: Vec::new(), line: None }
    }

    /// The same with one more row.
    pub fn with(mut self, row: Row) -> Self {
        self.rows.push(row);
        self
    }

    /// The same with a line at an amount that is known.
    pub fn line(mut self, name: &str, amount: Amount) -> Self {
        self.line = Some((name.to_owned(), amount));
        self
    }

    /// Whether there is nothing on it.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The chart, as one SVG element that needs nothing else.
    pub fn to_svg(&self) -> String {
        let mut amounts: Vec<Amount> = Vec::new();
        for row in &self.rows {
            amounts.push(row.amount);
            amounts.extend(row.ends.into_iter().flat_map(|(low, high)| [low, high]));
        }
        amounts.extend(self.line.iter().map(|line| line.1));
        let are_bars = self.rows.iter().all(|row| row.ends.is_none());
        let axis = Axis::of(&amounts, are_bars);
        let longest = self.rows.iter().map(|row| row.name.chars().count()).max().unwrap_or(0);
        let left = (24.0 + LETTER * longest as f64).clamp(60.0, 280.0);
        // Figures stand to the right of the bars.
        let right = 96.0;
        let width = WIDTH - left - right;
        let height = ROW * self.rows.len() as f64;
        let x = |share: f64| left + width * share;
        let bottom = TOP + height + 6.0;
        let mut svg = begin(WIDTH, bottom + BOTTOM, &self.title);
        text(
            &mut svg,
            "ink head",
            "start",
            15.0,
            (16.0, 27.0),
            &fitted(&self.title, (WIDTH - 32.0) * 0.86),
        );
        for (share, words) in axis.marks() {
            line(&mut svg, "grid", (x(share), TOP), (x(share), bottom));
            text(&mut svg, "faint", "middle", 12.0, (x(share), bottom + 18.0), &words);
        }
        let across = fitted(&self.across, WIDTH - 32.0);
        text(&mut svg, "ink", "middle", 13.0, (x(0.5), bottom + 42.0), &across);
        for (down, row) in self.rows.iter().enumerate() {
            let y = TOP + ROW * (down as f64 + 0.5) + 3.0;
            let name = fitted(&row.name, left - 20.0);
            text(&mut svg, "ink", "end", 13.0, (left - 12.0, y + 4.5), &name);
            let colour = down % COLOURS;
            let share = axis.at(row.amount);
            let end = if let Some((low, high)) = row.ends {
                let (low, high) = (x(axis.at(low)), x(axis.at(high)));
                let ends = format!("l{colour} thick");
                line(&mut svg, &ends, (low, y), (high, y));
                line(&mut svg, &ends, (low, y - 6.0), (low, y + 6.0));
                line(&mut svg, &ends, (high, y - 6.0), (high, y + 6.0));
                svg += &marked(&mark(down, (x(share), y)), &row.amount.figures());
                high
            } else {
                let base =
                    if axis.by_powers { 0.0 } else { axis.at(Amount { value: 0.0, log10: 0.0 }) };
                let [from, wide] = [x(base), (x(share) - x(base)).max(1.5)].map(rounded);
                let _ = writeln!(
                    svg,
                    "<rect class=\"f{colour}\" x=\"{from}\" y=\"{}\" width=\"{wide}\" \
                     height=\"18\"/>",
                    rounded(y - 9.0)
                );
                x(share)
            };
            let figures = row.amount.figures();
            text(&mut svg, "ink", "start", 12.0, (end + 8.0, y + 4.5), &figures);
        }
        if let Some((name, amount)) = &self.line {
            let at = x(axis.at(*amount));
            line(&mut svg, "line dashed", (at, TOP - 4.0), (at, bottom));
            text(&mut svg, "faint", "middle", 12.0, (at, TOP - 6.0), name);
        }
        svg + "</svg>\n"
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use num_bigint::BigUint;

    fn amount(value: f64) -> Amount {
        Amount::of(value).unwrap()
    }

    #[test]
    fn amounts_of_any_size() {
        let large = Amount::of_integer(&BigInt::from(BigUint::from(10u32).pow(400) * 25u32));
        assert!((large.log10 - 401.397_94).abs() < 1e-5, "{large:?}");
        assert_eq!(large.figures(), "2.5·10⁴⁰¹");
        assert_eq!(Amount::of_integer(&0.into()).figures(), "0");
        assert_eq!(amount(123_456.0).figures(), "123,456");
        assert_eq!(amount(0.25).figures(), "0.25");
        assert_eq!(amount(-3.0).figures(), "−3");
        assert_eq!(amount(12_345_678.0).figures(), "1.23·10⁷");
        assert_eq!(Amount::of(f64::NAN), None);
        assert_eq!(Amount::of_datum(&Datum::Missing), None);
    }

    #[test]
    fn axes_are_even_or_go_by_powers_of_ten() {
        let words = |amounts: &[f64]| -> Vec<String> {
            let amounts: Vec<Amount> = amounts.iter().copied().map(amount).collect();
            Axis::of(&amounts, true).marks().into_iter().map(|(_, words)| words).collect()
        };
        assert_eq!(words(&[3.0, 9.0]), ["0", "2", "4", "6", "8", "10"]);
        assert_eq!(words(&[0.001, 0.004]), ["0", "0.001", "0.002", "0.003", "0.004"]);
        assert_eq!(words(&[1.0, 1000.0]), ["1", "10", "100", "1,000"]);
        assert_eq!(words(&[0.0, 2.0, 9000.0]), ["0", "1", "10", "100", "1,000", "10,000"]);
        assert_eq!(words(&[1.0, 1e12])[1..3], ["100", "10,000"]);
        assert_eq!(words(&[1e6, 1e9]), ["10⁶", "10⁷", "10⁸", "10⁹"]);
        let powers = Axis::of(&[amount(0.0), amount(1.0), amount(1e4)], true);
        assert!(powers.at(amount(0.0)).abs() < 1e-12);
        assert!(powers.at(amount(1.0)) > 0.0, "1 stands above 0");
        assert!((powers.at(amount(1e4)) - 1.0).abs() < 1e-9);
        // Huge numbers with nothing to compare them to.
        let huge = Amount::of_integer(&(BigInt::from(1) << 5000));
        assert!((0.0..=1.0).contains(&Axis::of(&[huge], true).at(huge)));
    }

    #[test]
    fn plots_hold_every_point() {
        let points = |n: u32| (1..=n).map(|k| (f64::from(k), amount(f64::from(k * k)))).collect();
        let columns = Plot::new("Squares & more", "n", "n²").with(Series::new("a", points(9)));
        let svg = columns.to_svg();
        assert_eq!(svg.matches("<rect class=\"f0\"").count(), 9);
        assert!(svg.contains("Squares &amp; more") && svg.contains("prefers-color-scheme:dark"));
        assert!(svg.contains(">81</text>") && !svg.contains("NaN") && !svg.contains("inf"));
        let two = columns.with(Series::new("b", points(4))).with(Series::new("c", Vec::new()));
        let svg = two.to_svg();
        assert_eq!(svg.matches("<polyline").count(), 2, "a series without points is left out");
        // A mark in the legend, and one for each point.
        assert_eq!(svg.matches("<circle class=\"f0\"").count(), 10);
        assert_eq!(svg.matches("<polygon class=\"f1\"").count(), 5);
        assert!(Plot::new("", "", "").is_empty());
    }

    #[test]
    fn charts_have_bars_or_intervals() {
        let row = |name: &str, value: f64, ends: Option<(f64, f64)>| Row {
            name: name.into(),
            amount: amount(value),
            ends: ends.map(|(low, high)| (amount(low), amount(high))),
        };
        let bars = Chart::new("Time", "seconds").with(row("sweep", 0.5, None)).with(row(
            "a method with a name that is much too long to be written here",
            2.0,
            None,
        ));
        let svg = bars.to_svg();
        assert_eq!(svg.matches("height=\"18\"").count(), 2);
        assert!(svg.contains("…</text>"), "{svg}");
        let intervals = Chart::new("Estimates", "paths").with(row("chen", 1e9, Some((9e8, 1.2e9))));
        let svg = intervals.line("exactly", amount(1.1e9)).to_svg();
        assert_eq!(svg.matches("class=\"l0 thick\"").count(), 3);
        assert!(svg.contains("class=\"line dashed\"") && svg.contains(">exactly</text>"));
        assert!(!svg.contains("NaN"));
    }
}

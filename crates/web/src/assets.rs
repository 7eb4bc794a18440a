//! The pages: files that are built into the program.
//!
//! They are modules as browsers read them, so there is nothing to build. A browser keeps a file
//! and asks each time whether it is still the same, by a tag made of its bytes.

use axum::body::Body;
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::response::{IntoResponse, Response};

use crate::refusal::{Refusal, Why};

/// A file: the path that it is asked for by, its media type and its bytes.
type Asset = (&'static str, &'static str, &'static [u8]);

const HTML: &str = "text/html; charset=utf-8";
const CSS: &str = "text/css; charset=utf-8";
const JS: &str = "text/javascript; charset=utf-8";
const SVG: &str = "image/svg+xml";

macro_rules! assets {
    ($($path:literal $media:ident $file:literal)*) => {
        &[$(($path, $media, include_bytes!(concat!("../pages/", $file)))),*]
    };
}

const ASSETS: &[Asset] = assets! {
    "/" HTML "index.html"
    "/style.css" CSS "style.css"
    "/icon.svg" SVG "icon.svg"
    "/ask" HTML "ask.html"
    "/explore" HTML "explore.html"
    "/papers" HTML "papers.html"
    "/api.js" JS "api.js"
    "/ask.js" JS "ask.js"
    "/board.js" JS "board.js"
    "/editor.js" JS "editor.js"
    "/explore.js" JS "explore.js"
    "/gallery.js" JS "gallery.js"
    "/heat.js" JS "heat.js"
    "/page.js" JS "page.js"
    "/papers.js" JS "papers.js"
    "/play.js" JS "play.js"
    "/puzzle.js" JS "puzzle.js"
    "/slide.js" JS "slide.js"
    "/stones.js" JS "stones.js"
    "/walk.js" JS "walk.js"
};

/// The file at a path.
pub(crate) fn serve(method: &Method, path: &str, headers: &HeaderMap) -> Response {
    let Some((_, media, bytes)) = ASSETS.iter().find(|(known, ..)| *known == path) else {
        return Refusal::not_found("page or route here").into_response();
    };
    if !matches!(*method, Method::GET | Method::HEAD) {
        let refusal = Refusal::new(
            StatusCode::METHOD_NOT_ALLOWED,
            Why::MethodNotAllowed,
            "Pages are read by GET.",
        );
        let mut response = refusal.into_response();
        response.headers_mut().insert(header::ALLOW, HeaderValue::from_static("GET, HEAD"));
        return response;
    }
    let tag = tag(bytes);
    let is_known = headers.get(header::IF_NONE_MATCH).is_some_and(|known| known == tag.as_str());
    let mut response = Response::new(if is_known { Body::empty() } else { Body::from(*bytes) });
    if is_known {
        *response.status_mut() = StatusCode::NOT_MODIFIED;
    }
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(media));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    // The tag is hexadecimal.
    if let Ok(tag) = HeaderValue::from_str(&tag) {
        headers.insert(header::ETAG, tag);
    }
    response
}

/// The bytes as a tag: FNV-1a with 64 bits, which differs between versions of a file.
fn tag(bytes: &[u8]) -> String {
    let hash = bytes.iter().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
    });
    format!("\"{hash:016x}\"")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The content security policy would not let the browser run or use it.
    #[test]
    fn no_page_has_scripts_or_styles_in_it() {
        for (path, media, bytes) in ASSETS.iter().filter(|(_, media, _)| *media == HTML) {
            let text = std::str::from_utf8(bytes).unwrap();
            assert!(!text.contains("<style") && !text.contains(" style="), "{path} {media}");
            for script in text.split("<script").skip(1) {
                let (open, rest) = script.split_once('>').unwrap();
                assert!(open.contains(" src=\"/"), "{path}");
                assert!(rest.trim_start().starts_with("</script>"), "{path}");
            }
            let is_handler = |word: &str| word.starts_with("on") && word.contains("=\"");
            assert!(!text.split_whitespace().any(is_handler), "{path}");
        }
    }

    #[test]
    fn pages_load_only_what_is_there() {
        let is_there = |wanted: &str| ASSETS.iter().any(|(path, ..)| *path == wanted);
        for (path, media, bytes) in ASSETS {
            let text = std::str::from_utf8(bytes).unwrap();
            let marks: &[&str] = match *media {
                HTML => &["src=\"", "href=\""],
                JS => &["from \"", "import \""],
                _ => &[],
            };
            for mark in marks {
                for rest in text.split(mark).skip(1) {
                    let wanted = rest.split(['"', '#', '?']).next().unwrap();
                    if let Some(name) = wanted.strip_prefix("./") {
                        assert!(is_there(&format!("/{name}")), "{path} loads {wanted}");
                    } else if wanted.starts_with('/') && !wanted.starts_with("/api/") {
                        assert!(is_there(wanted), "{path} loads {wanted}");
                    }
                }
            }
        }
    }

    #[test]
    fn the_first_page_is_small() {
        let bytes: usize = ASSETS.iter().map(|(_, _, bytes)| bytes.len()).sum();
        assert!(bytes < 300_000, "{bytes}");
    }
}

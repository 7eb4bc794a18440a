//! The guard: what is looked at before a request is read.
//!
//! A page of another site can make a browser send requests to this machine. Two things stop it.
//! **The host** that a request names must be one that we are known by: a page whose name was made
//! to lead here (DNS rebinding) still sends its own name. An address cannot be such a name, so
//! addresses and `localhost` are taken, and the names that the operator lists. **The origin**,
//! which browsers send with whatever a page of another site asks for, must be ours.
//!
//! Where there are tokens, everything under `/api` needs one. It is sent in a header that no
//! page of another site can make a browser send.
//!
//! Every response says that a page may load nothing but what comes from here, and run no script
//! that stands in a page.

use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, Uri, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::options::Options;
use crate::refusal::{Refusal, Why};
use crate::server::Shared;

/// Who asks: an address, or the number of a token.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Client(pub(crate) String);

/// Where a connection comes from.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Peer(pub(crate) SocketAddr);

/// What pages may do: load from here, and nothing else. Pictures of answers are made in the
/// page, as `blob:`.
const PAGES_MAY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; \
    img-src 'self' blob: data:; connect-src 'self'; font-src 'self'; manifest-src 'self'; \
    base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// What answers may do when a browser shows them: nothing. A picture may have styles of its own.
const ANSWERS_MAY: &str =
    "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox";

/// Lets a request through, or refuses it.
pub(crate) async fn watch(
    State(shared): State<Arc<Shared>>,
    mut request: Request,
    next: Next,
) -> Response {
    let is_api = request.uri().path().starts_with("/api/");
    let response = match pass(&shared.options, &request, is_api) {
        Ok(client) => {
            request.extensions_mut().insert(client);
            next.run(request).await
        }
        Err(refusal) => refusal.into_response(),
    };
    safe(response, is_api)
}

fn pass(options: &Options, request: &Request, is_api: bool) -> Result<Client, Refusal> {
    let headers = request.headers();
    let host = host(request.uri(), headers)?;
    if !is_ours(&host, &options.hosts) {
        return Err(Refusal::new(
            StatusCode::MISDIRECTED_REQUEST,
            Why::Forbidden,
            format!(
                "This server is not known as {host:?}: use its address or localhost, or start it \
                 with --host NAME."
            ),
        ));
    }
    is_from_here(headers)?;
    let peer = request.extensions().get::<Peer>().map(|peer| peer.0.ip());
    let by_address = || {
        Client(
            peer.map_or_else(|| "unknown".to_owned(), |ip: IpAddr| ip.to_canonical().to_string()),
        )
    };
    let Some(tokens) = options.tokens.as_ref().filter(|_| is_api) else {
        return Ok(by_address());
    };
    let given = headers.get(header::AUTHORIZATION).map(HeaderValue::as_bytes);
    let given = given.and_then(|value| {
        let (scheme, token) = value.split_at_checked("Bearer ".len())?;
        scheme.eq_ignore_ascii_case(b"Bearer ").then_some(token)
    });
    match given.and_then(|token| tokens.number_of(token)) {
        Some(number) => Ok(Client(format!("token {}", number + 1))),
        None => Err(Refusal::new(
            StatusCode::UNAUTHORIZED,
            Why::Unauthorized,
            "A token is needed: send the header Authorization: Bearer TOKEN.",
        )),
    }
}

/// The host that the request names, without its port.
fn host(uri: &Uri, headers: &HeaderMap) -> Result<String, Refusal> {
    let mut hosts = headers.get_all(header::HOST).iter();
    let named = match (hosts.next(), hosts.next()) {
        (Some(host), None) => host.to_str().ok(),
        _ => None,
    };
    let named = named.ok_or_else(|| Refusal::malformed("The header Host is needed, once."))?;
    // A request can name its host twice. They must be the same.
    if let Some(authority) = uri.authority()
        && authority.as_str() != named
    {
        return Err(Refusal::malformed("The request names two hosts."));
    }
    Ok(without_port(named).to_ascii_lowercase())
}

/// `[::1]:80` and `localhost:80` without the port.
fn without_port(host: &str) -> &str {
    if let Some(rest) = host.strip_prefix('[') {
        return rest.split(']').next().unwrap_or_default();
    }
    host.split(':').next().unwrap_or_default()
}

fn is_ours(host: &str, names: &[String]) -> bool {
    host == "localhost"
        || host.parse::<IpAddr>().is_ok()
        || names.iter().any(|name| name.eq_ignore_ascii_case(host))
}

/// Refuses what a page of another site asks for.
fn is_from_here(headers: &HeaderMap) -> Result<(), Refusal> {
    let from_elsewhere = || Refusal::forbidden("Pages of other sites may not ask here.");
    if let Some(origin) = headers.get(header::ORIGIN) {
        let host = headers.get(header::HOST).and_then(|host| host.to_str().ok());
        let origin = origin.to_str().ok().and_then(|origin| origin.split_once("://"));
        // Behind a proxy the scheme may be another.
        match (origin, host) {
            (Some(("http" | "https", origin)), Some(host)) if origin.eq_ignore_ascii_case(host) => {
            }
            _ => return Err(from_elsewhere()),
        }
    }
    // A link on another site leads here by going there: that is no question to the API yet.
    let site = headers.get("sec-fetch-site").map(HeaderValue::as_bytes);
    let mode = headers.get("sec-fetch-mode").map(HeaderValue::as_bytes);
    match (site, mode) {
        (None | Some(b"same-origin" | b"none"), _) | (_, Some(b"navigate")) => Ok(()),
        _ => Err(from_elsewhere()),
    }
}

/// The response with what browsers must know.
fn safe(mut response: Response, is_api: bool) -> Response {
    let headers = response.headers_mut();
    let may = if is_api { ANSWERS_MAY } else { PAGES_MAY };
    for (name, value) in [
        (header::CONTENT_SECURITY_POLICY, may),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::X_FRAME_OPTIONS, "DENY"),
        (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
        (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
        (
            HeaderName::from_static("permissions-policy"),
            "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
        ),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_lead_here_by_a_trick_are_not_ours() {
        let names = ["puzzles.example".to_owned()];
        let ours = |host: &str| is_ours(without_port(host), &names);
        for host in [
            "localhost",
            "localhost:7377",
            "127.0.0.1:7377",
            "[::1]:7377",
            "192.168.0.7",
            "puzzles.example",
            "PUZZLES.example:80",
        ] {
            assert!(ours(host), "{host}");
        }
        for host in [
            "evil.example",
            "localhost.evil.example:7377",
            "",
            "127.0.0.1.evil.example",
            "[evil]",
            "xpuzzles.example",
        ] {
            assert!(!ours(host), "{host}");
        }
    }

    fn headers(list: &[(&'static str, &'static str)]) -> HeaderMap {
        let pairs = list.iter();
        pairs
            .map(|(name, value)| (HeaderName::from_static(name), HeaderValue::from_static(value)))
            .collect()
    }

    #[test]
    fn pages_of_other_sites_are_refused() {
        let host = ("host", "localhost:7377");
        for good in [
            &[host][..],
            &[host, ("origin", "http://localhost:7377")],
            &[host, ("sec-fetch-site", "same-origin"), ("sec-fetch-mode", "cors")],
            &[host, ("sec-fetch-site", "cross-site"), ("sec-fetch-mode", "navigate")],
        ] {
            assert!(is_from_here(&headers(good)).is_ok(), "{good:?}");
        }
        for bad in [
            &[host, ("origin", "http://evil.example")][..],
            &[host, ("origin", "null")],
            &[host, ("origin", "http://localhost:80")],
            &[host, ("origin", "http://localhost:7377.evil.example")],
            &[host, ("sec-fetch-site", "cross-site"), ("sec-fetch-mode", "no-cors")],
            &[host, ("sec-fetch-site", "same-site"), ("sec-fetch-mode", "cors")],
        ] {
            assert!(is_from_here(&headers(bad)).is_err(), "{bad:?}");
        }
    }
}

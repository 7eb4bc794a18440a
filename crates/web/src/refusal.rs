//! Refusals: why a request is not answered, as JSON with a code, a field and a sentence, and the
//! status that goes with the code.

use axum::body::Body;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use pessoi::{Code, Error};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What kind of thing went wrong with a request: what can go wrong with a question, and what can
/// go wrong with the way it was sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Why {
    /// There is nothing of this name.
    Unknown,
    /// The value of a field is not accepted.
    BadValue,
    /// Two fields contradict each other, or one needs another.
    Conflict,
    /// The question makes sense, but it is outside what can be answered.
    Unsupported,
    /// A saved answer is not true: this field does not hold.
    Forged,
    /// The disk cannot be read or written.
    Io,
    /// A limit was reached before anything could be said.
    Stopped,
    /// The program contradicted itself.
    Internal,
    /// This is not HTTP or JSON as it must be.
    Malformed,
    /// A token is needed.
    Unauthorized,
    /// This page, or this client, may not do this.
    Forbidden,
    /// The route does not know this method.
    MethodNotAllowed,
    /// None of the accepted media types can be written.
    NotAcceptable,
    /// The body is not of a media type that is read.
    UnsupportedMediaType,
    /// The body is larger than what is read.
    TooLarge,
    /// The body did not come in time.
    TooSlow,
    /// This client asks for too much at one time.
    TooMany,
    /// All clients together ask for too much at one time.
    Overloaded,
    /// The answer is not there yet.
    NotReady,
}

impl From<Code> for Why {
    fn from(code: Code) -> Self {
        match code {
            Code::Unknown => Why::Unknown,
            Code::BadValue => Why::BadValue,
            Code::Conflict => Why::Conflict,
            Code::Unsupported => Why::Unsupported,
            Code::Forged => Why::Forged,
            Code::Io => Why::Io,
            Code::Stopped => Why::Stopped,
            Code::Internal => Why::Internal,
        }
    }
}

/// What is written of a refusal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Error")]
pub(crate) struct Fault {
    /// What kind of error it is.
    pub(crate) code: Why,
    /// The field that is wrong: `verb`, `game`, `place`, `options.limit`, `limits.time` …
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) field: Option<String>,
    /// What was wrong, where, and what is accepted.
    pub(crate) sentence: String,
}

/// Why a request is not answered.
#[derive(Clone, Debug)]
pub(crate) struct Refusal {
    status: StatusCode,
    fault: Fault,
    /// Seconds after which it may be tried again.
    retry: Option<u64>,
}

impl Refusal {
    pub(crate) fn new(status: StatusCode, code: Why, sentence: impl Into<String>) -> Self {
        Refusal {
            status,
            fault: Fault { code, field: None, sentence: sentence.into() },
            retry: None,
        }
    }

    /// The same, of this field.
    pub(crate) fn of(mut self, field: &str) -> Self {
        self.fault.field = Some(field.to_owned());
        self
    }

    /// The same, which may be tried again after some seconds.
    pub(crate) fn retry(mut self, seconds: u64) -> Self {
        self.retry = Some(seconds);
        self
    }

    #[cfg(test)]
    pub(crate) fn status(&self) -> u16 {
        self.status.as_u16()
    }

    #[cfg(test)]
    pub(crate) fn field(&self) -> Option<&str> {
        self.fault.field.as_deref()
    }

    pub(crate) fn malformed(sentence: impl Into<String>) -> Self {
        Refusal::new(StatusCode::BAD_REQUEST, Why::Malformed, sentence)
    }

    pub(crate) fn forbidden(sentence: impl Into<String>) -> Self {
        Refusal::new(StatusCode::FORBIDDEN, Why::Forbidden, sentence)
    }

    pub(crate) fn not_found(what: &str) -> Self {
        Refusal::new(StatusCode::NOT_FOUND, Why::Unknown, format!("There is no {what}."))
    }

    /// The client asks for too much at one time.
    pub(crate) fn too_many(sentence: impl Into<String>) -> Self {
        Refusal::new(StatusCode::TOO_MANY_REQUESTS, Why::TooMany, sentence).retry(2)
    }

    /// What was asked takes much longer than it may.
    pub(crate) fn overdue() -> Self {
        let sentence = "The answer did not come in its time, and is not waited for: ask for less, \
                        or submit a job.";
        Refusal::new(StatusCode::SERVICE_UNAVAILABLE, Why::Stopped, sentence).retry(5)
    }

    /// All clients together ask for too much at one time, or the server is stopping.
    pub(crate) fn overloaded(sentence: impl Into<String>) -> Self {
        Refusal::new(StatusCode::SERVICE_UNAVAILABLE, Why::Overloaded, sentence).retry(5)
    }
}

impl From<Error> for Refusal {
    fn from(error: Error) -> Self {
        let status = match error.code {
            Code::Unknown | Code::BadValue | Code::Conflict | Code::Unsupported | Code::Forged => {
                StatusCode::UNPROCESSABLE_ENTITY
            }
            Code::Stopped => StatusCode::SERVICE_UNAVAILABLE,
            Code::Io | Code::Internal => StatusCode::INTERNAL_SERVER_ERROR,
        };
        let sentence = error.to_string();
        let fault = Fault { code: error.code.into(), field: error.field, sentence };
        let retry = (status == StatusCode::SERVICE_UNAVAILABLE).then_some(5);
        Refusal { status, fault, retry }
    }
}

/// The most letters of a sentence: it may quote what was sent, which may be long.
const MOST: usize = 1000;

/// The text without its middle, if it is long.
fn short(text: String) -> String {
    let letters = text.chars().count();
    if letters <= MOST {
        return text;
    }
    let first: String = text.chars().take(MOST * 3 / 4).collect();
    let last: String = text.chars().skip(letters - MOST / 4).collect();
    format!("{first} … {last}")
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let Fault { code, field, sentence } = self.fault;
        let fault = Fault { code, field: field.map(short), sentence: short(sentence) };
        // A fault has nothing that JSON cannot hold.
        let json = serde_json::to_vec(&fault).unwrap_or_default();
        let mut response = Response::new(Body::from(json));
        *response.status_mut() = self.status;
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
        if let Some(seconds) = self.retry {
            headers.insert(header::RETRY_AFTER, seconds.into());
        }
        if self.status == StatusCode::REQUEST_TIMEOUT {
            headers.insert(header::CONNECTION, HeaderValue::from_static("close"));
        }
        if self.status == StatusCode::UNAUTHORIZED {
            headers.insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        }
        response
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_sentences_lose_their_middle() {
        assert_eq!(short("é".repeat(MOST)), "é".repeat(MOST));
        let text = short(format!("The place {:?} is not accepted.", "é".repeat(10 * MOST)));
        assert!(text.starts_with("The place \"é") && text.ends_with("é\" is not accepted."));
        assert!(text.chars().count() <= MOST + 3);
    }
}

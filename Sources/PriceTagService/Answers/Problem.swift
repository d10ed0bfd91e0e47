import HTTPTypes
import PriceTag
import PriceTagStrings
import PriceTagText

/// An error of a request, sent as problem details (RFC 9457) with a stable code and a fix.
///
///     {"type":"about:blank","title":"Unprocessable Content","status":422,
///      "detail":"the field \"storefront\" is missing","code":"missing-field","fix":"add it",
///      "pointer":"/storefront"}
struct Problem: Error {
  var status: HTTPResponse.Status
  /// A stable code for programs.
  let code: String
  /// What was wrong.
  let detail: String
  /// What to do, as an imperative.
  let fix: String
  /// The JSON pointer (RFC 6901) to the invalid value of the body; `nil` if the error is not in the body.
  var pointer: String?
  /// Further header fields of the response, such as `Allow`.
  var headers = HTTPFields()

  init(
    _ status: HTTPResponse.Status,
    _ code: String,
    _ detail: String,
    fix: String,
    pointer: String? = nil
  ) {
    (self.status, self.code, self.detail, self.fix, self.pointer) = (status, code, detail, fix, pointer)
  }

  /// Creates a temporary problem, which asks the client to retry in a second.
  init(unavailable code: String, _ detail: String, fix: String) {
    self.init(.serviceUnavailable, code, detail, fix: fix)
    headers[.retryAfter] = "1"
  }

  /// Creates a problem from an error that a PriceTag module threw.
  init(
    _ error: some ModuleError,
    _ status: HTTPResponse.Status = .unprocessableContent,
    pointer: String? = nil
  ) {
    let detail = error.place.isEmpty ? error.problem : "\(error.place): \(error.problem)"
    self.init(status, error.code.rawValue, detail, fix: error.fix, pointer: pointer)
  }

  /// Creates a problem from an error about a name in the path: the name is malformed or unknown.
  init(inAddress error: some ModuleError) {
    self.init(
      error,
      error.code.rawValue == StringsError.Code.malformedLanguage.rawValue ? .badRequest : .notFound
    )
  }

  /// An internal error, whose reason is only logged.
  static let `internal` = Problem(
    .internalServerError,
    "internal-error",
    "an internal error occurred",
    fix: "retry later, or look up the request identifier in the service's log"
  )

  /// The problem as an HTML page, for browsers.
  var html: String {
    """
    <!doctype html>
    <html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">\
    <meta name="robots" content="noindex"><title>\(escapedForHTML(status.reasonPhrase))</title></head>
    <body><h1>\(escapedForHTML(status.reasonPhrase))</h1>\
    <p>\(escapedForHTML(detail)); \(escapedForHTML(fix)).</p></body></html>

    """
  }

  /// Returns the problem as JSON.
  func json(requestID: String?) -> String {
    var fields = [
      ("type", PriceTagText.json("about:blank")), ("title", PriceTagText.json(status.reasonPhrase)),
      ("status", String(status.code)), ("detail", PriceTagText.json(detail)),
      ("code", PriceTagText.json(code)),
      ("fix", PriceTagText.json(fix)),
    ]
    if let pointer { fields.append(("pointer", PriceTagText.json(pointer))) }
    if let requestID { fields.append(("requestId", PriceTagText.json(requestID))) }
    return jsonObject(fields)
  }
}

/// Returns the JSON that replaces a rejected row: `{"error":{"code","message","pointer"}}`.
func rowError(code: String, message: String, pointer: String, _ further: [(String, String)] = []) -> String {
  let fields = [
    ("code", PriceTagText.json(code)), ("message", PriceTagText.json(message)),
    ("pointer", PriceTagText.json(pointer)),
  ]
  return jsonObject([("error", jsonObject(fields + further))])
}

/// Returns a key escaped for a JSON pointer (RFC 6901, 3).
func pointerToken(_ key: String) -> String {
  key.replacing("~", with: "~0").replacing("/", with: "~1")
}

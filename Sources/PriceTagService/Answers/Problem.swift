import HTTPTypes
import PriceTag
import PriceTagStrings
import PriceTagText

/// Why a request is not answered: problem details as RFC 9457 has them, with a stable code and what to do.
///
///     {"type":"about:blank","title":"Unprocessable Content","status":422,"detail":"\"USB\" is no storefront",
///      "code":"unknown-storefront","fix":"use an App Store storefront (did you mean USA?)","pointer":"/storefront"}
struct Problem: Error {
  var status: HTTPResponse.Status
  /// Stable, for programs.
  let code: String
  /// What is wrong.
  let detail: String
  /// What to do.
  let fix: String
  /// Which value of the request's body it is about, as RFC 6901 points; `nil` where it is none.
  var pointer: String?
  /// What the answer says beside: the methods that are allowed.
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

  /// What cannot be answered now, and in a second perhaps can.
  init(unavailable code: String, _ detail: String, fix: String) {
    self.init(.serviceUnavailable, code, detail, fix: fix)
    headers[.retryAfter] = "1"
  }

  /// What a module found wrong with a request.
  init(
    _ error: some ModuleError,
    _ status: HTTPResponse.Status = .unprocessableContent,
    pointer: String? = nil
  ) {
    let detail = error.place.isEmpty ? error.problem : "\(error.place): \(error.problem)"
    self.init(status, error.code.rawValue, detail, fix: error.fix, pointer: pointer)
  }

  /// What a module found wrong with a name in an address: there is nothing of that name, or it can be none.
  init(inAddress error: some ModuleError) {
    self.init(
      error,
      error.code.rawValue == StringsError.Code.malformedLanguage.rawValue ? .badRequest : .notFound
    )
  }

  /// What is wrong with the service itself; why is for its log.
  static let `internal` = Problem(
    .internalServerError,
    "internal-error",
    "the service failed",
    fix: "try again later; its log says why, under the request's identifier"
  )

  /// The problem as JSON.
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

/// What stands in the place of a row that cannot be answered: `{"error":{"code","message","pointer"}}`.
func rowError(code: String, message: String, pointer: String, _ further: [(String, String)] = []) -> String {
  let fields = [
    ("code", PriceTagText.json(code)), ("message", PriceTagText.json(message)),
    ("pointer", PriceTagText.json(pointer)),
  ]
  return jsonObject([("error", jsonObject(fields + further))])
}

/// A key as a JSON pointer has it (RFC 6901, 3).
func pointerToken(_ key: String) -> String {
  key.replacing("~", with: "~0").replacing("/", with: "~1")
}

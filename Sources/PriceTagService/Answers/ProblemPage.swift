import PriceTag

/// A problem for somebody who looks at pages.
struct ProblemPage {
  private let problem: Problem

  init(_ problem: Problem) {
    self.problem = problem
  }

  var html: String {
    """
    <!doctype html>
    <html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">\
    <meta name="robots" content="noindex"><title>\(Self.escaped(problem.status.reasonPhrase))</title></head>
    <body><h1>\(Self.escaped(problem.status.reasonPhrase))</h1>\
    <p>\(Self.escaped(problem.detail)): \(Self.escaped(problem.fix)).</p></body></html>

    """
  }

  private static func escaped(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
      .replacing("\"", with: "&quot;").replacing("'", with: "&#39;")
  }
}

import PriceTag
import PriceTagText

/// A problem as an HTML page, for browsers.
struct ProblemPage {
  private let problem: Problem

  init(_ problem: Problem) {
    self.problem = problem
  }

  var html: String {
    """
    <!doctype html>
    <html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">\
    <meta name="robots" content="noindex"><title>\(escapedForHTML(problem.status.reasonPhrase))</title></head>
    <body><h1>\(escapedForHTML(problem.status.reasonPhrase))</h1>\
    <p>\(escapedForHTML(problem.detail)); \(escapedForHTML(problem.fix)).</p></body></html>

    """
  }
}

import HTTPTypes
import Hummingbird

/// The headers of every response of the web page's listener.
enum WebHeaders {
  /// What a page may load and do (Content Security Policy). No script or style inside a document runs, and no text
  /// becomes markup (Trusted Types), whatever a contact contains.
  static let policy = [
    "default-src 'self'", "img-src 'self' blob: data:", "object-src 'none'", "base-uri 'none'",
    "form-action 'none'", "frame-ancestors 'none'", "require-trusted-types-for 'script'",
  ].joined(separator: "; ")

  private static let values = [
    "Content-Security-Policy": policy, "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer", "X-Frame-Options": "DENY",
    "Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Resource-Policy": "same-origin",
  ]
  private static let fields = values.compactMap { name, value in
    HTTPField.Name(name).map { (name: $0, value: value) }
  }

  /// Adds the headers to `response`. A photo keeps its policy, which allows less.
  static func protect(_ response: inout Response) {
    for (name, value) in fields where response.headers[name] == nil {
      response.headers[name] = value
    }
  }
}

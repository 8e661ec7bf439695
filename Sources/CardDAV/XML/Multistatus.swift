// The answer about several resources (RFC 4918, section 13). Clients compare the status lines as text, so they are
// written exactly as the standard shows them.

/// A `DAV:multistatus` document that is being written.
package struct Multistatus: Sendable {
  /// What a resource answers for the properties that a request names.
  package struct Properties: Sendable {
    /// The properties that it has, with their values.
    package var found: [XMLTree] = []
    /// The names of those that it does not have.
    package var missing: [XMLName] = []
    /// The properties whose change was refused, with the reason.
    package var refused: [(name: XMLName, error: DAVError)] = []

    /// Creates an answer without properties.
    package init() {}
  }

  private var writer = XMLWriter()
  /// Whether missing properties are left out, which `Prefer: return=minimal` asks for (RFC 8144).
  private let isMinimal: Bool

  /// Begins a document.
  package init(isMinimal: Bool = false) {
    self.isMinimal = isMinimal
    writer.open(.dav("multistatus"))
  }

  /// Removes the bytes that were written so far and returns them, if there are at least `count`.
  package mutating func takeBytes(atLeast count: Int) -> [UInt8]? {
    writer.count >= count ? writer.takeBytes() : nil
  }

  /// Adds a resource with its properties.
  package mutating func add(_ href: String, _ properties: Properties) {
    writer.open(.dav("response"))
    writer.element(.dav("href"), text: href)
    let missing = isMinimal ? [] : properties.missing
    // A resource without any property still needs a propstat.
    if !properties.found.isEmpty || (missing.isEmpty && properties.refused.isEmpty) {
      propstat(200, properties.found)
    }
    if !missing.isEmpty { propstat(404, missing.map { XMLTree($0) }) }
    for (name, error) in properties.refused {
      propstat(error.status.rawValue, [XMLTree(name)], error)
    }
    writer.close()
  }

  /// Adds a resource that has a status in place of properties: one that is missing, or was deleted.
  package mutating func add(_ href: String, status: Int, condition: XMLTree? = nil) {
    writer.open(.dav("response"))
    writer.element(.dav("href"), text: href)
    writer.element(.dav("status"), text: Self.line(status))
    if let condition {
      writer.open(.dav("error"))
      writer.write(condition)
      writer.close()
    }
    writer.close()
  }

  /// Ends the document.
  /// - Parameter token: The sync token of the state that the document describes.
  package mutating func finish(token: String? = nil) -> [UInt8] {
    if let token { writer.element(.dav("sync-token"), text: token) }
    writer.close()
    return writer.bytes
  }

  private mutating func propstat(_ status: Int, _ properties: [XMLTree], _ error: DAVError? = nil) {
    writer.open(.dav("propstat"))
    writer.open(.dav("prop"))
    for property in properties { writer.write(property) }
    writer.close()
    writer.element(.dav("status"), text: Self.line(status))
    if let error {
      if let condition = error.condition {
        writer.open(.dav("error"))
        writer.write(condition)
        writer.close()
      }
      writer.element(.dav("responsedescription"), text: error.message)
    }
    writer.close()
  }

  /// Returns a status line.
  private static func line(_ status: Int) -> String {
    let phrases = [
      200: "OK", 403: "Forbidden", 404: "Not Found", 409: "Conflict", 412: "Precondition Failed",
      424: "Failed Dependency", 503: "Service Unavailable", 507: "Insufficient Storage",
    ]
    return "HTTP/1.1 \(status) \(phrases[status] ?? "Error")"
  }
}

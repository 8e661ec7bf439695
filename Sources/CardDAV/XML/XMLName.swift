// Names of XML elements and properties, with the namespaces that WebDAV, CardDAV and Apple's servers use.

/// The name of an element or a property.
package struct XMLName: Hashable, Sendable {
  /// The namespace; empty for none.
  package let namespace: String
  /// The name within the namespace.
  package let local: String

  /// Creates a name.
  package init(_ namespace: String, _ local: String) {
    self.namespace = namespace
    self.local = local
  }

  /// Returns a name of WebDAV (RFC 4918) and its extensions.
  package static func dav(_ local: String) -> XMLName { XMLName(Namespace.dav, local) }

  /// Returns a name of CardDAV (RFC 6352).
  package static func card(_ local: String) -> XMLName { XMLName(Namespace.cardDAV, local) }

  /// Returns a name that Apple's calendar server introduced: `getctag`.
  package static func calendarServer(_ local: String) -> XMLName {
    XMLName(Namespace.calendarServer, local)
  }

  /// The namespaces that responses declare, with their prefixes.
  enum Namespace {
    static let dav = "DAV:"
    static let cardDAV = "urn:ietf:params:xml:ns:carddav"
    static let calendarServer = "http://calendarserver.org/ns/"

    static let prefixes = [(dav, "D"), (cardDAV, "C"), (calendarServer, "CS")]
  }
}

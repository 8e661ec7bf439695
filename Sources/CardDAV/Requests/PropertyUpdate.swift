// Changes to the properties of a book: the body of a PROPPATCH, and of a MKCOL that makes a book (RFC 4918, section
// 9.2; RFC 5689). Clients set a book's name here. A group has no other property that a client could set.

/// The properties to set and to remove.
package struct PropertyUpdate: Hashable, Sendable {
  /// A change of one property.
  package enum Change: Hashable, Sendable {
    case set(XMLTree)
    case remove(XMLName)

    /// The name of the property.
    package var name: XMLName {
      switch self {
      case .set(let property): property.name
      case .remove(let name): name
      }
    }
  }

  /// The changes, in the order of the document.
  package let changes: [Change]

  private static let changesMaximum = 100

  /// Reads the body of a PROPPATCH.
  package init(proppatch document: some Collection<UInt8>) throws(DAVError) {
    try self.init(document, .dav("propertyupdate"))
  }

  /// Reads the body of a MKCOL. Without one, a book without a name of its own is made.
  /// - Throws: 403 with `valid-resourcetype` if it makes something else than a book.
  package init(mkcol document: some Collection<UInt8>) throws(DAVError) {
    guard !document.isEmpty else {
      self.init(changes: [])
      return
    }
    try self.init(document, .dav("mkcol"))
    guard let types = self[.dav("resourcetype")]?.children, !types.isEmpty else { return }
    guard Set(types.map(\.name)).isSubset(of: [.dav("collection"), .card("addressbook")]) else {
      throw DAVError(
        .forbidden, "Only address books can be made here.",
        condition: XMLTree(.dav("valid-resourcetype")))
    }
  }

  private init(_ document: some Collection<UInt8>, _ name: XMLName) throws(DAVError) {
    let root = try XMLTree(document: document)
    guard root.name == name else {
      throw DAVError(.badRequest, "The body must be a DAV:\(name.local) element.")
    }
    var changes: [Change] = []
    for part in root.children {
      let properties = part[.dav("prop")]?.children ?? []
      switch part.name {
      case .dav("set"): changes += properties.map { .set($0) }
      case .dav("remove"): changes += properties.map { .remove($0.name) }
      default: break
      }
    }
    guard changes.count <= Self.changesMaximum else { throw .tooLarge("The list of properties") }
    self.init(changes: changes)
  }

  private init(changes: [Change]) { self.changes = changes }

  /// The last value that is set for a property.
  package subscript(name: XMLName) -> XMLTree? {
    for case .set(let property) in changes.reversed() where property.name == name {
      return property
    }
    return nil
  }
}

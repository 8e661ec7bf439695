// What a client wants to know about a resource: the body of a PROPFIND, and the part of a report that selects
// properties (RFC 4918, section 14.20; RFC 6352, section 10.4).

import ContactCards

/// The properties that a request asks for.
package struct PropertySelection: Hashable, Sendable {
  /// Which properties.
  package enum Extent: Hashable, Sendable {
    /// Those of WebDAV, and these.
    case all(including: [XMLName])
    /// The names of all properties, without values.
    case names
    /// These.
    case some([XMLName])
  }

  /// Which properties.
  package let extent: Extent
  /// How cards are written, where their text is asked for.
  package let card: CardForm

  /// The maximum number of properties of a request.
  private static let propertiesMaximum = 500

  /// All properties: the meaning of a PROPFIND without a body.
  package static let all = PropertySelection(extent: .all(including: []), card: CardForm())

  private init(extent: Extent, card: CardForm) {
    self.extent = extent
    self.card = card
  }

  /// Reads a PROPFIND.
  package init(propfind document: some Collection<UInt8>) throws(DAVError) {
    guard !document.isEmpty else {
      self = .all
      return
    }
    let root = try XMLTree(document: document)
    guard root.name == .dav("propfind") else {
      throw DAVError(.badRequest, "The body of a PROPFIND must be a DAV:propfind element.")
    }
    try self.init(in: root)
  }

  /// Reads the part of a report or a PROPFIND that selects properties. Without one, none is selected.
  init(in element: XMLTree) throws(DAVError) {
    if let selected = element[.dav("prop")] {
      guard selected.children.count <= Self.propertiesMaximum else {
        throw .tooLarge("The list of properties")
      }
      let card = try selected[.card("address-data")].map { data throws(DAVError) in
        try CardForm(data)
      }
      self.init(extent: .some(selected.children.map(\.name)), card: card ?? CardForm())
    } else if element[.dav("propname")] != nil {
      self.init(extent: .names, card: CardForm())
    } else if element[.dav("allprop")] != nil {
      let further = element[.dav("include")]?.children.map(\.name) ?? []
      self.init(extent: .all(including: further), card: CardForm())
    } else if element.name == .dav("propfind") {
      throw DAVError(.badRequest, "The PROPFIND names no properties.")
    } else {
      self.init(extent: .some([]), card: CardForm())
    }
  }
}

/// How a card is written: the version, and which of its properties.
package struct CardForm: Hashable, Sendable {
  /// The version; `nil` for the one in which the card is stored.
  package let version: CardVersion?
  /// The names of the properties in upper case; `nil` for all.
  package let properties: Set<String>?

  /// Whole cards as they are stored.
  package init() {
    version = nil
    properties = nil
  }

  /// Whole cards of one version.
  package init(version: CardVersion) {
    self.version = version
    properties = nil
  }

  /// Reads a `CARDDAV:address-data` of a request.
  /// - Throws: 403 with `supported-address-data` if the server writes no such cards.
  init(_ data: XMLTree) throws(DAVError) {
    let type = data.attributes["content-type"]
    let version = data.attributes["version"]
    guard type.map(Self.isCard) ?? true, version.map({ Self.versions[$0] != nil }) ?? true else {
      throw DAVError(
        .forbidden, "This server writes vCard 3.0 and 4.0.",
        condition: XMLTree(.card("supported-address-data")))
    }
    self.version = version.flatMap { Self.versions[$0] }
    let names = data.all(.card("prop")).compactMap { $0.attributes["name"]?.uppercased() }
    properties = names.isEmpty || data[.card("allprop")] != nil ? nil : Set(names)
  }

  /// Reads the header `Accept` of a GET; whole cards as they are stored if it asks for nothing else.
  package init(accept: String?) {
    let wanted = accept?.lowercased().filter { $0 != " " && $0 != "\"" } ?? ""
    // A client that reads both versions gets the newer one.
    let version = ["4.0", "3.0"].first { wanted.contains("version=\($0)") }.flatMap {
      Self.versions[$0]
    }
    self.version = wanted.contains("text/vcard") ? version : nil
    properties = nil
  }

  /// Whether a media type is that of cards.
  package static func isCard(_ type: String) -> Bool {
    let name = type.prefix { $0 != ";" }.lowercased().filter { $0 != " " }
    return ["text/vcard", "text/x-vcard", "text/directory"].contains(name)
  }

  private static let versions: [String: CardVersion] = ["3.0": .three, "4.0": .four]
}

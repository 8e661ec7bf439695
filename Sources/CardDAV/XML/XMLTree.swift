// The body of a request as a tree. The parser is Foundation's, which expands no entities and loads nothing. It also
// accepts a document that ends too early, so its error is asked for separately. Depth and size are bounded, because the
// body comes from anyone who has a password.

import Foundation
import FoundationXML

/// An element of a document, with what it contains.
package struct XMLTree: Hashable, Sendable {
  /// Its name.
  package var name: XMLName
  /// Its attributes, without their namespaces.
  package var attributes: [String: String] = [:]
  /// The text directly in the element, without the elements.
  package var text = ""
  /// The elements in the element, in order.
  package var children: [XMLTree] = []

  /// Creates an element.
  package init(_ name: XMLName, text: String = "", children: [XMLTree] = []) {
    self.name = name
    self.text = text
    self.children = children
  }

  /// Returns the first child with this name.
  package subscript(name: XMLName) -> XMLTree? { children.first { $0.name == name } }

  /// Returns all children with this name, in order.
  package func all(_ name: XMLName) -> [XMLTree] { children.filter { $0.name == name } }
}

/// The limits of a request's document.
package enum XMLLimits {
  /// The maximum size of a document. A multiget of 10,000 cards has 630 KB.
  package static let documentBytes = 4 << 20
  /// How deep elements may be nested.
  package static let depth = 64
  /// The maximum number of elements.
  package static let elements = 100_000
  /// The maximum number of attributes of an element.
  package static let attributes = 32
}

extension XMLTree {
  /// Reads a document.
  /// - Throws: 400 if it is not well-formed or has no end, 415 if it is not UTF-8, 413 if it is too large, too deep or has too many elements.
  package init(document: some Collection<UInt8>) throws(DAVError) {
    guard document.count <= XMLLimits.documentBytes else { throw .tooLarge("The XML document") }
    // NB: Foundation's parser ends the process at a name or an attribute that is not UTF-8.
    let body = try XMLDeclaration.removed(from: document)
    guard !PlainMarkup.hasOther(body) else {
      throw DAVError(
        .badRequest, "XML documents with document types or processing instructions are not read.")
    }
    let reader = Reader()
    let parser = XMLParser(data: Data(body))
    parser.shouldProcessNamespaces = true
    parser.shouldResolveExternalEntities = false
    parser.delegate = reader
    let isRead = parser.parse()
    if let failure = reader.failure { throw failure }
    guard isRead, parser.parserError == nil, let root = reader.root else {
      throw DAVError(.badRequest, "The body is not a complete XML document.")
    }
    self = root
  }

  /// Builds the tree.
  private final class Reader: NSObject, XMLParserDelegate {
    private(set) var root: XMLTree?
    private(set) var failure: DAVError?
    private var open: [XMLTree] = []
    private var count = 0

    func parser(
      _ parser: XMLParser, didStartElement name: String, namespaceURI: String?,
      qualifiedName: String?, attributes: [String: String]
    ) {
      count += 1
      guard count <= XMLLimits.elements, open.count < XMLLimits.depth,
        attributes.count <= XMLLimits.attributes
      else { return fail(.tooLarge("The XML document"), parser) }
      var element = XMLTree(XMLName(namespaceURI ?? "", name))
      for (name, value) in attributes where !name.hasPrefix("xmlns") {
        element.attributes[name] = value
      }
      open.append(element)
    }

    func parser(_ parser: XMLParser, foundCharacters text: String) {
      guard let last = open.indices.last else { return }
      open[last].text += text
    }

    func parser(_ parser: XMLParser, foundCDATA block: Data) {
      self.parser(parser, foundCharacters: String(decoding: block, as: UTF8.self))
    }

    func parser(
      _ parser: XMLParser, didEndElement name: String, namespaceURI: String?,
      qualifiedName: String?
    ) {
      guard let element = open.popLast() else { return }
      if let last = open.indices.last {
        open[last].children.append(element)
      } else {
        root = element
      }
    }

    private func fail(_ error: DAVError, _ parser: XMLParser) {
      failure = failure ?? error
      parser.abortParsing()
    }
  }
}

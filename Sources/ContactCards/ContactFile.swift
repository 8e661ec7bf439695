// A file of contacts in any supported format, which the caller specifies or the reader detects from the first
// bytes. Feed it chunks, take contacts; it buffers one at a time.

import Contacts

/// A format for exchanging contacts.
package enum ContactFileFormat: String, Hashable, Sendable, CaseIterable {
  case vcard, jcard, csv, json
}

/// Reads contacts from a stream of bytes.
package struct ContactFile: Sendable {
  private enum Reading: Sendable {
    case cards(CardReader)
    case elements(JSONElements)
    case table(CSVReader)
  }

  /// The maximum number of bytes that are examined to detect the format.
  private static let headBytesMax = 64 << 10
  /// The number of lines that are examined.
  private static let linesMaximum = 5
  private var reading: Reading?
  private var head: [UInt8] = []
  private var findings: [CardFinding] = []

  /// Creates a file of this format; `nil` detects it from the first bytes.
  package init(format: ContactFileFormat? = nil) {
    reading = format.map(Self.reading)
  }

  /// Reads a chunk and returns the contacts that it completes.
  package mutating func feed(_ chunk: some Collection<UInt8>) -> [ImportedContact] {
    guard reading == nil else { return take(chunk) }
    head += Array(chunk)
    let isWhole = head.count >= Self.headBytesMax
    guard let format = Self.format(of: head.prefix(Self.headBytesMax), isWhole: isWhole) else {
      return []
    }
    return begin(format)
  }

  /// Ends the file, and returns the remaining contacts.
  package mutating func finish() -> [ImportedContact] {
    var contacts = reading == nil ? begin(Self.format(of: head[...], isWhole: true) ?? .vcard) : []
    switch reading {
    case .cards(var reader):
      contacts += reader.finish().map { ImportedContact($0) }
      findings += reader.takeFindings()
      reading = .cards(reader)
    case .table(var reader):
      contacts += reader.finish()
      reading = .table(reader)
    case .elements(var elements):
      if let rest = elements.finish() {
        findings.append(
          CardFinding(
            line: rest.line, outcome: .failed,
            "The file ends in the middle of an item, which was not imported."))
      }
      reading = .elements(elements)
    case nil: break
    }
    return contacts
  }

  /// Returns the problems between contacts, each once.
  package mutating func takeFindings() -> [CardFinding] {
    defer { findings = [] }
    switch reading {
    case .cards(var reader):
      let between = reader.takeFindings()
      reading = .cards(reader)
      return findings + between
    case .table(var reader):
      let between = reader.takeFindings()
      reading = .table(reader)
      return findings + between
    case .elements, nil: return findings
    }
  }

  /// Whether the file is a table, as far as is known.
  package var isTable: Bool {
    guard case .table = reading else { return false }
    return true
  }

  /// The columns of a table, complete at the end of the file; empty for other formats.
  package var columns: [TableColumn] {
    guard case .table(let reader) = reading else { return [] }
    return reader.columns
  }

  private mutating func begin(_ format: ContactFileFormat) -> [ImportedContact] {
    reading = Self.reading(format)
    defer { head = [] }
    return take(head)
  }

  private static func reading(_ format: ContactFileFormat) -> Reading {
    switch format {
    case .vcard: .cards(CardReader())
    case .jcard, .json: .elements(JSONElements())
    case .csv: .table(CSVReader())
    }
  }

  private mutating func take(_ chunk: some Collection<UInt8>) -> [ImportedContact] {
    // NB: Moved out before it is changed; otherwise each chunk would copy the buffers.
    let taken = reading
    reading = nil
    switch taken {
    case .cards(var reader):
      let cards = reader.feed(chunk)
      reading = .cards(reader)
      return cards.map { ImportedContact($0) }
    case .table(var reader):
      let contacts = reader.feed(chunk)
      reading = .table(reader)
      return contacts
    case .elements(var elements):
      let found = elements.feed(chunk)
      reading = .elements(elements)
      return found.compactMap { contact(of: $0) }
    case nil: return []
    }
  }

  /// A list is a card, an object a contact.
  private mutating func contact(of element: JSONElements.Element) -> ImportedContact? {
    let node = element.isCut ? nil : JSONNode(element.bytes)
    if let node {
      if let card = JCard.card(node, line: element.line) { return ImportedContact(card) }
      if let contact = ContactNode.contact(node, line: element.line) { return contact }
    }
    let sentence =
      element.isCut ? "The item is too large." : "The item is neither a card nor a contact."
    findings.append(CardFinding(line: element.line, outcome: .failed, sentence))
    return nil
  }

  /// Returns the format of a file that begins with `head`; `nil` if it cannot be determined yet.
  private static func format(of head: ArraySlice<UInt8>, isWhole: Bool) -> ContactFileFormat? {
    let text = head.starts(with: [0xEF, 0xBB, 0xBF]) ? head.dropFirst(3) : head
    guard let first = text.first(where: { !$0.isBlank && $0 != 0x0A && $0 != 0x0D }) else {
      return isWhole ? .vcard : nil
    }
    if first == UInt8(ascii: "[") { return .jcard }
    if first == UInt8(ascii: "{") { return .json }
    // UTF-16 is decoded first.
    var reader = LineReader()
    var lines: [[UInt8]] = []
    reader.feed(head) { line, _, _ in lines.append(line) }
    if isWhole { reader.finish { line, _, _ in lines.append(line) } }
    lines = Array(lines.filter { !$0.isEmpty }.prefix(linesMaximum))
    guard !lines.isEmpty else { return isWhole ? .vcard : nil }
    let areAll = isWhole || lines.count == linesMaximum
    if CSVReader.isTable(lines, areAll: areAll) { return .csv }
    return areAll ? .vcard : nil
  }
}

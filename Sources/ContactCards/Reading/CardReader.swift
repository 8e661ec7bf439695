// Reads cards from a stream: feed it chunks of any size and take the cards that are complete. It buffers one
// card at a time, never fails, and reports the line and the outcome of every problem. Cards are found by
// their `BEGIN` and `END`, and text between them is ignored; a card without an end ends where the next one
// begins.

import ByteCounts
import Contacts

/// Reads vCard 2.1, 3.0 and 4.0.
package struct CardReader: Sendable {
  private var lines: LineReader
  private var assembly: CardAssembly

  /// Creates a reader at the beginning of a file.
  /// - Parameter mediaBytesMaximum: The maximum size of a picture or sound; larger ones are omitted and
  ///   reported.
  package init(mediaBytesMaximum: Int = CardLimits.mediaBytes) {
    lines = LineReader()
    assembly = CardAssembly(mediaBytesMaximum: mediaBytesMaximum)
  }

  /// Reads a chunk of the file and returns the cards that it completes.
  package mutating func feed(_ chunk: some Collection<UInt8>) -> [Card] {
    var assembly = assembly
    self.assembly = CardAssembly()
    lines.feed(chunk) { assembly.take($0, number: $1, isCut: $2) }
    defer { self.assembly = assembly }
    return assembly.takeCards()
  }

  /// Ends the file, and returns the card that has no end.
  package mutating func finish() -> [Card] {
    var assembly = assembly
    self.assembly = CardAssembly()
    lines.finish { assembly.take($0, number: $1, isCut: $2) }
    assembly.finish()
    defer { self.assembly = assembly }
    return assembly.takeCards()
  }

  /// Returns the problems between cards, each once.
  package mutating func takeFindings() -> [CardFinding] {
    assembly.takeFindings()
  }
}

/// Assembles cards from lines: joins folded lines and assigns each line to its card.
struct CardAssembly: Sendable {
  /// The maximum size of a picture or sound; larger ones are omitted.
  private let mediaBytesMaximum: Int
  private var cards: [Card] = []
  private var findings: [CardFinding] = []
  private var card: Card?
  private var cardBytes = 0
  private var mediaBytes = 0
  /// The line that is being joined.
  private var whole = JoinedLine()
  /// The text of a nested card, and its depth.
  private var nested: [UInt8] = []
  private var depth = 0
  /// The lines since the last card that belong to none.
  private var junk = Junk()

  private struct Junk {
    var firstLine = 0
    var count = 0
  }

  init(mediaBytesMaximum: Int = CardLimits.mediaBytes) {
    self.mediaBytesMaximum = mediaBytesMaximum
  }

  mutating func takeCards() -> [Card] {
    defer { cards = [] }
    return cards
  }

  mutating func takeFindings() -> [CardFinding] {
    defer { findings = [] }
    return findings
  }

  /// Adds the next line of the file.
  mutating func take(_ line: [UInt8], number: Int, isCut: Bool) {
    if !whole.bytes.isEmpty, let rest = continuation(line) {
      whole.append(rest, isCut: isCut)
    } else {
      endLine()
      whole = JoinedLine(bytes: line, number: number, isCut: isCut)
    }
  }

  /// Ends the file.
  mutating func finish() {
    endLine()
    if card != nil { close("The card has no END:VCARD; it ends with the file.") }
    endJunk()
  }

  // MARK: Unfolding

  /// Returns the part of `line` that continues the line before, without its fold; `nil` if a new line begins.
  /// Removes the sign of a soft line break from the line before.
  private mutating func continuation(_ line: [UInt8]) -> ArraySlice<UInt8>? {
    if whole.bytes.last == UInt8(ascii: "="), whole.hasEncoding(["QUOTED-PRINTABLE"]) {
      // Some programs fold within an escape: `=` at the end, blank and two digits at the start.
      let isFolded =
        line.count > 3 && line[0].isBlank && QuotedPrintable.digit(line[1]) != nil
        && QuotedPrintable.digit(line[2]) != nil && line[3] == UInt8(ascii: "=")
      if isFolded { return line[1...] }
      whole.bytes.removeLast()
      return line[...]
    }
    // Some programs write two line ends for one; an empty line does not end a property.
    guard let first = line.first else { return [] }
    if first.isBlank {
      // In 2.1 the blank belongs to the text. In base-64 blanks are ignored.
      return card?.version == .two ? line[...] : line[1...]
    }
    guard line.allSatisfy({ Base64.isDigit($0) || $0 == UInt8(ascii: "=") }) else { return nil }
    return whole.hasEncoding(["BASE64", "B"]) || whole.hasDataAddress()
      ? line[...] : nil
  }

  // MARK: Whole lines

  private mutating func endLine() {
    let line = whole.bytes
    whole.bytes = []
    guard !line.allSatisfy(\.isBlank) else { return }
    if isMark(line, "BEGIN:VCARD") {
      begin()
    } else if card == nil, isVersion(line) {
      begin()
      find("", .guessed, "The card does not begin with BEGIN:VCARD.")
      keep(line)
    } else if card == nil {
      if junk.count == 0 { junk.firstLine = whole.number }
      junk.count += 1
    } else if isMark(line, "END:VCARD") {
      end()
    } else if depth > 0 {
      keepNested(line)
    } else {
      keep(line)
    }
  }

  private func isMark(_ line: [UInt8], _ mark: StaticString) -> Bool {
    mark.withUTF8Buffer { mark in
      var rest = mark[...]
      for byte in line where !byte.isBlank && byte != 0 {
        guard let next = rest.popFirst(), byte.asciiLowercased == next.asciiLowercased else {
          return false
        }
      }
      return rest.isEmpty
    }
  }

  private func isVersion(_ line: [UInt8]) -> Bool {
    isMark(line, "VERSION:2.1") || isMark(line, "VERSION:3.0") || isMark(line, "VERSION:4.0")
  }

  private mutating func begin() {
    let isInside = depth > 0 || (card?.properties.last.map { Self.isAgent($0) } ?? false)
    if isInside, depth < CardLimits.nestedCards {
      depth += 1
      return keepNested(Array("BEGIN:VCARD".utf8))
    }
    if card != nil {
      close("The card has no END:VCARD; it ends before the next one, at line \(whole.number).")
    }
    endJunk()
    card = Card(line: whole.number)
    cardBytes = 0
    mediaBytes = 0
  }

  private static func isAgent(_ property: CardProperty) -> Bool {
    property.name.isSame(as: "AGENT") && property.value.allSatisfy(\.isWhitespace)
      && property.content == nil
  }

  private mutating func end() {
    guard depth > 0 else { return close(nil) }
    keepNested(Array("END:VCARD".utf8))
    depth -= 1
    if depth == 0 { endNested() }
  }

  private mutating func keepNested(_ line: [UInt8]) {
    guard charge(line.count) else { return }
    nested += line + [UInt8(ascii: "\n")]
  }

  /// Stores the nested card as the value of its property, escaped as in 3.0.
  private mutating func endNested() {
    let text = TextDecoder.decode(nested, charset: nil).text
    nested = []
    guard let last = card?.properties.indices.last else { return }
    card?.properties[last].value = CardText.escaped(text)
  }

  private mutating func close(_ sentence: String?) {
    if depth > 0 {
      depth = 0
      endNested()
    }
    guard var done = card else { return }
    if let sentence {
      done.findings.append(CardFinding(line: done.line, outcome: .guessed, sentence))
    }
    card = nil
    cards.append(done)
  }

  private mutating func endJunk() {
    guard junk.count > 0 else { return }
    let what = junk.count == 1 ? "This line is" : "\(junk.count) lines from here are"
    findings.append(
      CardFinding(line: junk.firstLine, outcome: .lost, "\(what) outside of any card."))
    junk.count = 0
  }

  // MARK: Properties

  private mutating func keep(_ line: [UInt8]) {
    guard let parsed = PropertyParser.property(line, line: whole.number) else {
      return keepStray(line)
    }
    var property = parsed.property
    // Here, because the limit of its bytes is not that of a text.
    CardMedia.readDataAddress(&property)
    if property.name.isSame(as: "VERSION"), property.group.isEmpty {
      return readVersion(property.value)
    }
    guard !whole.isCut else {
      return find(
        property.name, .lost,
        "It is longer than \(ByteCount(CardLimits.lineBytes).limit) and was not imported.")
    }
    guard fits(property, lineBytes: line.count) else { return }
    card?.properties.append(property)
    for oddity in parsed.oddities {
      find(property.name, .guessed, "The value is unusual: \(oddity).")
    }
  }

  /// Whether the card has room for the property; reports it if not.
  private mutating func fits(_ property: CardProperty, lineBytes: Int) -> Bool {
    guard (card?.properties.count ?? 0) < CardLimits.propertiesPerCard else {
      find(
        property.name, .lost,
        "Not imported: the limit of a card is \(CardLimits.propertiesPerCard) properties.")
      return false
    }
    guard let content = property.content else { return charge(lineBytes) }
    guard content.sizeBytes <= mediaBytesMaximum else {
      let sentence = "It is larger than \(ByteCount(mediaBytesMaximum).limit) and was not imported."
      find(property.name, .lost, sentence)
      return false
    }
    mediaBytes += lineBytes
    guard mediaBytes <= CardLimits.cardBytesWithMedia else {
      find(
        property.name, .lost,
        "Not imported: the pictures and sounds of the card are too large together.")
      return false
    }
    return true
  }

  private mutating func charge(_ bytes: Int) -> Bool {
    cardBytes += bytes
    guard cardBytes > CardLimits.cardBytes else { return true }
    find(
      "", .lost,
      "Not imported: the card is larger than \(ByteCount(CardLimits.cardBytes).limit).")
    return false
  }

  /// A line that is no property is most likely a continuation of the one before.
  private mutating func keepStray(_ line: [UInt8]) {
    guard charge(line.count) else { return }
    let text = CardText.withoutLineEnds(TextDecoder.decode(line, charset: nil).text)
    if let last = card?.properties.indices.last, canContinue(last) {
      card?.properties[last].append(line: text)
      let name = card?.properties[last].name ?? ""
      find(name, .guessed, "The line is not a property; it was appended to \(name) before it.")
    } else {
      card?.properties.append(
        CardProperty(line: whole.number, name: "X-STRAY-TEXT", value: CardText.escaped(text)))
      find("", .kept, "The line is not a property; it was kept as X-STRAY-TEXT.")
    }
  }

  private func canContinue(_ index: Int) -> Bool {
    // NB: a copy of the property would make `append` copy its value, once for each line.
    card.map {
      $0.properties[index].content == nil && $0.properties[index].value(of: "ENCODING") == nil
    }
      ?? false
  }

  private mutating func readVersion(_ text: String) {
    let trimmed = text.filter { !$0.isWhitespace }
    switch trimmed {
    case "2.1": card?.version = .two
    case "3.0": card?.version = .three
    case "4.0": card?.version = .four
    default:
      let guess = CardVersion.allCases.first { $0.rawValue.first == trimmed.first }
      card?.version = guess ?? .three
      let used = (guess ?? .three).rawValue
      find(
        "VERSION", .guessed,
        "Unknown version “\(trimmed.prefix(20))”; the card was read as version \(used).")
    }
  }

  private mutating func find(
    _ property: String, _ outcome: CardFinding.Outcome, _ sentence: String
  ) {
    guard let count = card?.findings.count else { return }
    if count < CardLimits.findingsPerCard {
      card?.findings.append(
        CardFinding(line: whole.number, property: property, outcome: outcome, sentence))
    } else if outcome == .lost,
      let mild = card?.findings.lastIndex(where: { $0.outcome != .lost })
    {
      card?.findings[mild] = CardFinding(
        line: whole.number, property: property, outcome: outcome, sentence)
    }
  }
}

// The work of `card-check` for one file: read, write, read again, compare.

import ContactCards
import Contacts
import Foundation
import Records

/// Reads files and reports the data that their cards lose.
struct CardCheck {
  private var fileCount = 0
  private var cardCount = 0
  private var byteCount = 0
  private var findingCount = 0
  private var problemCount = 0
  private var elapsed = Duration.zero

  /// Whether no card lost data.
  var isFine: Bool { problemCount == 0 }

  /// Checks a file, or every file of a folder and its subfolders.
  mutating func run(_ path: String) {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
      return problem(path, 0, "The file does not exist.")
    }
    guard isFolder.boolValue else { return check(path) }
    let names = FileManager.default.enumerator(atPath: path)?.compactMap { $0 as? String } ?? []
    for name in names.sorted() {
      let file = path + "/" + name
      var isInnerFolder: ObjCBool = false
      _ = FileManager.default.fileExists(atPath: file, isDirectory: &isInnerFolder)
      if !isInnerFolder.boolValue { check(file) }
    }
  }

  /// Prints the totals and the reading speed.
  func finish() {
    let seconds = Double(elapsed.components.seconds) + Double(elapsed.components.attoseconds) / 1e18
    let rate = seconds > 0 ? Int(Double(cardCount) / seconds) : 0
    printLine(
      "\(fileCount) files, \(cardCount) cards, \(byteCount) bytes, \(findingCount) findings, "
        + "\(problemCount) problems; read \(rate) cards/s")
  }

  private mutating func check(_ path: String) {
    guard let data = FileManager.default.contents(atPath: path) else {
      return problem(path, 0, "The file cannot be read.")
    }
    fileCount += 1
    byteCount += data.count
    var reader = CardReader()
    let start = ContinuousClock.now
    var offset = 0
    var lastCards: [(Card, ImportedContact)] = []
    while offset < data.count {
      let chunk = [UInt8](data[offset..<min(data.count, offset + 65_536)])
      offset += chunk.count
      let cards = reader.feed(chunk).map { ($0, ImportedContact($0)) }
      if data.count < 4 << 20 { lastCards += cards } else { cardCount += cards.count }
    }
    lastCards += reader.finish().map { ($0, ImportedContact($0)) }
    elapsed += ContinuousClock.now - start
    for finding in reader.takeFindings() { report(path, finding) }
    cardCount += lastCards.count
    for (card, contact) in lastCards {
      for finding in contact.findings { report(path, finding) }
      for version in [CardVersion.three, .four] { compare(path, card, contact, version) }
    }
  }

  private mutating func compare(
    _ path: String, _ card: Card, _ read: ImportedContact, _ version: CardVersion
  ) {
    guard let contact = Self.contact(read) else {
      return problem(path, card.line, "The card cannot be converted to a record.")
    }
    let written = CardComposer(version: version).card(of: contact, bytes: Self.bytes)
    var bytes: [UInt8] = []
    CardWriter.write(written, to: &bytes)
    var reader = CardReader()
    let again = reader.feed(bytes) + reader.finish()
    guard again.count == 1 else {
      return problem(path, card.line, "The written card is read back as \(again.count) cards.")
    }
    var second = ImportedContact(again[0])
    if read.draft[.uid].isEmpty { second.draft[.uid] = "" }
    for difference in Self.differences(read.draft, second.draft, version) {
      problem(path, card.line, "\(version.rawValue): \(difference)")
    }
    guard let contactAgain = Self.contact(ImportedContact(again[0])) else { return }
    var bytesAgain: [UInt8] = []
    CardWriter.write(
      CardComposer(version: version).card(of: contactAgain, bytes: Self.bytes), to: &bytesAgain)
    if bytesAgain != bytes {
      problem(path, card.line, "\(version.rawValue): The second export differs from the first.")
    }
    for lost in Self.missing(card, in: again[0]) {
      problem(path, lost.line, "\(version.rawValue): \(CardWriter.text(of: lost).prefix(120))")
    }
  }

  private static func contact(_ read: ImportedContact) -> Contact? {
    var generator = SystemRandomNumberGenerator()
    let edit = ContactEdit.replacing(Contact(id: read.recordName), with: read.draft)
    guard let changes = try? edit.changes(to: Fields(), using: &generator) else { return nil }
    return ContactRecord.contact(named: read.recordName, fields: changes.applied(to: Fields()))
  }

  private static func bytes(_ media: ContactMedia) -> [UInt8]? {
    guard case .inline(let bytes) = media else { return nil }
    return bytes
  }

  // MARK: Comparison

  private static func differences(
    _ first: ContactDraft, _ second: ContactDraft, _ version: CardVersion
  ) -> [String] {
    var result: [String] = []
    for text in ContactText.allCases where first[text] != second[text] {
      result.append("\(text.rawValue) “\(first[text].prefix(60))” → “\(second[text].prefix(60))”")
    }
    for list in ContactList.allCases {
      let old = Set(first[list].map { describe($0, list) })
      let new = Set(second[list].map { describe($0, list) })
      for lost in old.subtracting(new).sorted() { result.append("\(list.rawValue) − \(lost)") }
      for more in new.subtracting(old).sorted() { result.append("\(list.rawValue) + \(more)") }
    }
    if first.departments != second.departments { result.append("departments") }
    if first.categories != second.categories { result.append("categories") }
    if first.photo?.media != second.photo?.media { result.append("photo") }
    return result
  }

  private static func describe(_ entry: ContactDraft.DraftEntry, _ list: ContactList) -> String {
    var texts = list.properties.filter { !entry[$0].isEmpty }.map {
      "\($0.rawValue)=\(entry[$0].prefix(80))"
    }
    if let content = entry.content { texts.append("\(content.sizeBytes) bytes") }
    return texts.joined(separator: " ")
  }

  /// Returns the properties of `card` whose name and value are missing in `other`.
  private static func missing(_ card: Card, in other: Card) -> [CardProperty] {
    let present = Set(other.properties.map { essence($0) })
    return card.properties.filter { property in
      let isEmpty = property.value.allSatisfy { ";, ".contains($0) } && property.content == nil
      // One of Apple's labels that is a type is written as that type.
      let isType = property.key == "X-ABLABEL" && property.value.hasPrefix("_$!<")
      return !isEmpty && !isType && !present.contains(essence(property))
    }
  }

  /// Returns a property's normalized meaning, regardless of spelling: a day, a number, the bytes of a
  /// picture.
  private static func essence(_ property: CardProperty) -> String {
    let names = [
      "X-ABRELATEDNAMES": "RELATED", "X-ANNIVERSARY": "ANNIVERSARY", "X-ABLABEL": "LABEL",
    ]
    let name = names[property.key] ?? property.key
    if case .inline(let bytes) = property.content { return name + ":" + Data(bytes).description }
    var text = CardText.unescaped(property.value).filter { !$0.isWhitespace }
    if text.hasPrefix("data:"), let comma = text.firstIndex(of: ","),
      let data = Data(base64Encoded: String(text[text.index(after: comma)...]))
    {
      return name + ":" + data.description
    }
    while text.hasSuffix(";") { text.removeLast() }
    if name == "BDAY" || name == "ANNIVERSARY" {
      text = text.filter { $0 != "-" }.replacing("1604", with: "")
    }
    return name + ":" + text.replacing("tel:", with: "")
  }

  private mutating func report(_ path: String, _ finding: CardFinding) {
    findingCount += 1
    let place = "\(path):\(finding.line)"
    printLine("\(place): \(finding.outcome.rawValue): \(finding.property): \(finding.message)")
  }

  private mutating func problem(_ path: String, _ line: Int, _ sentence: String) {
    problemCount += 1
    printLine("\(path):\(line): PROBLEM: \(sentence)")
  }

  private func printLine(_ text: String) {
    FileHandle.standardOutput.write(Data((text + "\n").utf8))
  }
}

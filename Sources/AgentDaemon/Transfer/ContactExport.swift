// Converts contacts to the bytes of a file, as a stream.

import ContactCards
import Contacts
import Hummingbird
import Records

/// A format for exported contacts.
enum ExportFormat: String, Sendable, CaseIterable {
  case vcard3, vcard4, jcard, json, csv

  /// The number of contacts that are read at a time.
  static let contactsPerPage = 200

  /// Whether the format supports pictures and sounds.
  var hasMedia: Bool { self != .csv }

  /// Composes the cards; `nil` if the format has none.
  var composer: CardComposer? {
    switch self {
    case .vcard3: CardComposer(version: .three, isForFile: true)
    case .vcard4, .jcard: CardComposer(version: .four, isForFile: true)
    case .json, .csv: nil
    }
  }

  /// The media type of the file.
  var mediaType: String {
    switch self {
    case .vcard3, .vcard4: "text/vcard; charset=utf-8"
    case .jcard: "application/vcard+json"
    case .json: "application/json"
    case .csv: "text/csv; charset=utf-8"
    }
  }
}

/// Writes contacts one after another.
struct ContactExport {
  private let format: ExportFormat
  private let media: MediaFiles
  private var groups: ExportedGroups
  private var bytes: [UInt8] = []
  private var count = 0

  /// Starts an export and writes what precedes the first contact.
  init(format: ExportFormat, groups: ExportedGroups, media: MediaFiles) {
    self.format = format
    self.groups = groups
    self.media = media
    switch format {
    case .jcard: bytes += Array("[".utf8)
    case .json: bytes += Array("{\"schema\":1,\"contacts\":[".utf8)
    case .csv: CSVWriter.writeHeader(to: &bytes)
    case .vcard3, .vcard4: break
    }
  }

  /// Returns the bytes written since the last call, if there are at least `count`.
  mutating func takeBytes(atLeast count: Int) -> ByteBuffer? {
    guard bytes.count >= count else { return nil }
    defer { bytes.removeAll(keepingCapacity: true) }
    return ByteBuffer(bytes: bytes)
  }

  /// Writes `contact`, which is in the group titled `group` (empty for the default group) and was last changed at
  /// `modified`.
  /// - Throws: Any error of reading its picture.
  mutating func add(_ contact: Contact, group: String, modified: Timestamp) async throws {
    let content = try await mediaBytes(of: contact)
    func read(_ media: ContactMedia) -> [UInt8]? { content[media] }
    groups.note(contact)
    if let composer = format.composer {
      return add(composer.card(of: contact, group: group, modified: modified, bytes: read))
    }
    if format == .json {
      separate()
      ContactNode.node(contact, group: group, modified: modified, bytes: read).write(to: &bytes)
    } else {
      CSVWriter.write(contact, group: group, to: &bytes)
    }
  }

  /// Writes the groups if the format supports them, and what follows the last card.
  /// - Throws: Any error of reading a group's picture.
  mutating func end() async throws {
    if let composer = format.composer {
      for (group, modified, members) in groups.all {
        let content = try await mediaBytes(of: group)
        add(composer.card(ofGroup: group, members: members, modified: modified) { content[$0] })
      }
    }
    switch format {
    case .jcard: bytes += Array("\n]\n".utf8)
    case .json: bytes += Array("\n]}\n".utf8)
    case .vcard3, .vcard4, .csv: break
    }
  }

  private mutating func add(_ card: Card) {
    guard format == .jcard else { return CardWriter.write(card, to: &bytes) }
    separate()
    JCard.node(card).write(to: &bytes)
  }

  private mutating func separate() {
    defer { count += 1 }
    bytes += Array((count == 0 ? "\n" : ",\n").utf8)
  }

  private func mediaBytes(of contact: Contact) async throws -> [ContactMedia: [UInt8]] {
    guard format.hasMedia else { return [:] }
    var result: [ContactMedia: [UInt8]] = [:]
    let all = [contact.photo?.media].compactMap { $0 } + contact.other.compactMap(\.content)
    for one in all { result[one] = try await media.bytes(of: one) }
    return result
  }
}

// Contacts → the bytes of a file, as they come.

import ContactCards
import Contacts
import Hummingbird
import Records

/// A form in which contacts leave.
enum ExportFormat: String, Sendable, CaseIterable {
  case vcard3, vcard4, jcard, json, csv

  /// Contacts read at a time.
  static let contactsPerPage = 200

  /// Whether the form has a place for pictures and sounds.
  var hasMedia: Bool { self != .csv }

  /// The type of the file.
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
  private var bytes: [UInt8] = []
  private var count = 0

  /// An export that has written what stands before the first contact.
  init(format: ExportFormat, media: MediaFiles) {
    self.format = format
    self.media = media
    switch format {
    case .jcard: bytes += Array("[".utf8)
    case .json: bytes += Array("{\"schema\":1,\"contacts\":[".utf8)
    case .csv: CSVWriter.writeHeader(to: &bytes)
    case .vcard3, .vcard4: break
    }
  }

  /// What was written since the last time, if it is that much.
  mutating func takeBytes(atLeast count: Int) -> ByteBuffer? {
    guard bytes.count >= count else { return nil }
    defer { bytes.removeAll(keepingCapacity: true) }
    return ByteBuffer(bytes: bytes)
  }

  /// Writes `contact`.
  /// - Throws: what reading its picture throws.
  mutating func add(_ contact: Contact) async throws {
    defer { count += 1 }
    let content = try await mediaBytes(of: contact)
    func read(_ media: ContactMedia) -> [UInt8]? { content[media] }
    switch format {
    case .vcard3, .vcard4:
      let version: CardVersion = format == .vcard3 ? .three : .four
      CardWriter.write(
        CardComposer(version: version).card(of: contact, bytes: read), to: &bytes)
    case .jcard:
      separate()
      JCard.node(CardComposer(version: .four).card(of: contact, bytes: read)).write(to: &bytes)
    case .json:
      separate()
      ContactNode.node(contact, bytes: read).write(to: &bytes)
    case .csv: CSVWriter.write(contact, to: &bytes)
    }
  }

  /// Writes what stands behind the last contact.
  mutating func end() {
    switch format {
    case .jcard: bytes += Array("\n]\n".utf8)
    case .json: bytes += Array("\n]}\n".utf8)
    case .vcard3, .vcard4, .csv: break
    }
  }

  private mutating func separate() {
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

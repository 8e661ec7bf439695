// Where the bytes of pictures and sounds go when contacts come from files, and come from when they
// go into files. The only place that transfer touches media, so another keeper needs no other
// change.

import ContactCards
import Contacts
import Records

/// Keeps bytes of pictures and sounds.
protocol MediaKeeping: Sendable {
  /// Keeps `bytes` and says how a record refers to them; `nil` when they cannot be kept. A dry run
  /// only says it.
  func keep(_ bytes: [UInt8], isDryRun: Bool) async throws -> ContactMedia?
  /// The bytes that a record refers to; `nil` when they are not on this device.
  func bytes(of media: ContactMedia) async throws -> [UInt8]?
}

/// Keeps small pictures inside the record itself, and nothing else.
struct InlineMedia: MediaKeeping {
  /// What a record can carry beside everything else, and a list of contacts be read with.
  static let bytesMax = 128 << 10

  func keep(_ bytes: [UInt8], isDryRun: Bool) async throws -> ContactMedia? {
    bytes.count <= Self.bytesMax ? .inline(bytes) : nil
  }

  func bytes(of media: ContactMedia) async throws -> [UInt8]? {
    guard case .inline(let bytes) = media else { return nil }
    return bytes
  }
}

extension ImportedContact {
  /// The contact with every picture and sound kept by `keeper`; what it cannot keep is left out and
  /// told of.
  func kept(by keeper: any MediaKeeping, isDryRun: Bool) async throws -> ImportedContact {
    guard hasMedia else { return self }
    var result = self
    if let photo = draft.photo, case .inline(let bytes) = photo.media {
      let media = try await keeper.keep(bytes, isDryRun: isDryRun)
      result.draft.photo = media.map { ContactPhoto(media: $0, mediaType: photo.mediaType) }
      if media == nil { result.leaveOut("PHOTO", sizeBytes: bytes.count) }
    }
    var other: [ContactDraft.DraftEntry] = []
    for var entry in draft[.other] {
      if case .inline(let bytes) = entry.content {
        entry.content = try await keeper.keep(bytes, isDryRun: isDryRun)
        guard entry.content != nil else {
          result.leaveOut(entry[.name], sizeBytes: bytes.count)
          continue
        }
      }
      other.append(entry)
    }
    result.draft[.other] = other
    return result
  }

  private var hasMedia: Bool {
    draft.photo != nil || draft[.other].contains { $0.content != nil }
  }

  private mutating func leaveOut(_ property: String, sizeBytes: Int) {
    findings.append(
      CardFinding(
        line: line, property: property, outcome: .lost,
        "It has \(sizeBytes) bytes, more than can be kept; it is left out."))
  }
}

// Where the bytes of pictures and sounds go when contacts come from files, and come from when they
// go into files. The only place that transfer touches media, so another keeper needs no other
// change.

import Contacts
import Records

/// Keeps bytes of pictures and sounds.
protocol MediaKeeping: Sendable {
  /// Keeps `bytes` and says how a record refers to them; `nil` when they cannot be kept.
  func keep(_ bytes: [UInt8]) throws -> ContactMedia?
  /// The bytes that a record refers to; `nil` when they are not on this device.
  func bytes(of media: ContactMedia) throws -> [UInt8]?
}

/// Keeps small pictures inside the record itself, and nothing else.
struct InlineMedia: MediaKeeping {
  /// What a record can carry beside everything else, and a list of contacts be read with.
  static let bytesMax = 128 << 10

  func keep(_ bytes: [UInt8]) throws -> ContactMedia? {
    bytes.count <= Self.bytesMax ? .inline(bytes) : nil
  }

  func bytes(of media: ContactMedia) throws -> [UInt8]? {
    guard case .inline(let bytes) = media else { return nil }
    return bytes
  }
}

extension ContactDraft {
  /// The draft with every picture and sound kept by `keeper`; what it cannot keep is left out and
  /// told of.
  func kept(
    by keeper: some MediaKeeping, line: Int, findings: inout [CardLoss]
  ) throws -> ContactDraft {
    var result = self
    if let photo, case .inline(let bytes) = photo.media {
      let media = try keeper.keep(bytes)
      result.photo = media.map { ContactPhoto(media: $0, mediaType: photo.mediaType) }
      if media == nil { findings.append(CardLoss(property: "PHOTO", sizeBytes: bytes.count)) }
    }
    var other: [DraftEntry] = []
    for var entry in self[.other] {
      if case .inline(let bytes) = entry.content {
        entry.content = try keeper.keep(bytes)
        guard entry.content != nil else {
          findings.append(CardLoss(property: entry[.name], sizeBytes: bytes.count))
          continue
        }
      }
      other.append(entry)
    }
    result[.other] = other
    return result
  }
}

/// A picture or sound that was not kept.
struct CardLoss: Hashable, Sendable {
  /// The card's property.
  let property: String
  /// How large it is.
  let sizeBytes: Int
}

/// The bytes of a picture or sound in a card, without the bytes themselves.
package struct MediaItem: Codable, Hashable, Sendable {
  package var sizeBytes: Int64
  /// The SHA-256 of the bytes, if they are a file.
  @Sparse package var digest: String?

  package init(sizeBytes: Int64, digest: String?) {
    self.sizeBytes = sizeBytes
    self.digest = digest
  }
}

/// The picture of a contact, without its bytes.
package struct PhotoItem: Codable, Hashable, Sendable {
  enum CodingKeys: CodingKey {
    case mediaType, sizeBytes, digest
  }

  /// `image/jpeg`; empty if it is not known.
  package var mediaType: String
  package var sizeBytes: Int64
  /// The SHA-256 of the bytes, if they are a file.
  @Sparse package var digest: String?

  package init(mediaType: String, sizeBytes: Int64, digest: String?) {
    self.mediaType = mediaType
    self.sizeBytes = sizeBytes
    self.digest = digest
  }
}

extension ContactItem.Key {
  /// The media type of a picture.
  package static let mediaType = Self(PhotoItem.CodingKeys.mediaType.stringValue)
  /// The size of a picture.
  package static let sizeBytes = Self(PhotoItem.CodingKeys.sizeBytes.stringValue)
  /// The account in `modifiedBy`.
  package static let account = Self(AuthorView.CodingKeys.account.stringValue)
  /// The account's name for people in `modifiedBy`.
  package static let accountName = Self(AuthorView.CodingKeys.name.stringValue)
  /// The device in `modifiedBy`.
  package static let device = Self(AuthorView.CodingKeys.device.stringValue)
  /// The device's name for people in `modifiedBy`.
  package static let deviceName = Self(AuthorView.CodingKeys.deviceName.stringValue)
}

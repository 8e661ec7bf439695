import Records

/// A card as it is sent.
struct CardContent: Sendable {
  /// The media type of cards.
  static let mediaType = "text/vcard; charset=utf-8"

  /// The bytes.
  let bytes: [UInt8]
  /// What people call the contact.
  let title: String
  /// When the contact changed on this device.
  let modified: Timestamp
}

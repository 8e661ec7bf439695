/// A file that a record refers to, identified by the digest of its content. CloudKit: `CKAsset`.
///
/// `Database.upload(_:)` returns an asset; `Database.content(of:inZone:)` downloads its bytes.
public struct Asset: Hashable, Sendable {
  /// The SHA-256 digest of the content, 32 bytes.
  public let digest: [UInt8]
  /// The size of the content in bytes.
  public let byteCount: Int
}

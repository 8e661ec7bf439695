// The identity of a program at the broker, which the program saves. Joining by an invitation is in another file.

import FoundationEssentials
import Records
import WholeFiles

/// The identity of a program as a device of an account: a device id, a secret key and the last numbers used.
///
/// Save the identity and reuse it, for example in a file with mode 0600. The broker stores the outcomes and
/// notifications of each device, so a program that creates an identity at each start leaves unused devices
/// on the broker. If two programs use copies of one identity at the same time, the broker rejects one of
/// them, and the library makes it a new device.
///
/// CloudKit has no equivalent; there the operating system manages the device.
public struct DeviceIdentity: Hashable, Sendable, Codable {
  /// The device's name as users see it, 255 bytes at most.
  public var name: String
  /// The device id that the broker assigned, 32 hexadecimal digits; `nil` until the first connection.
  public internal(set) var id: String?
  /// 32 random bytes that authenticate the device. Keep them secret.
  public internal(set) var key: [UInt8]
  /// The last request number that this device used.
  public internal(set) var lastNumber: Int64
  /// The request number up to which the device has received all outcomes.
  public internal(set) var acknowledged: Int64
  /// The number of the last notification that the program acknowledged.
  public internal(set) var acknowledgedNotifications: NotificationNumber
  /// The SHA-256 of the public key of the broker that the device joined by an invitation; `nil` if it joined none.
  public internal(set) var brokerKeyDigest: [UInt8]?
  /// Whether the user has denied on this device that other users can find it.
  var hasDeniedDiscoverability = false
  /// The device that this one was before another program used a copy of its identity, until the broker has registered
  /// this one.
  var former: Former?

  /// The id and the key of a device.
  struct Former: Hashable, Sendable, Codable {
    let id: String
    let key: [UInt8]
  }

  /// Creates the identity of a new device.
  public init(name: String) {
    self.name = name
    key = Self.newKey()
    lastNumber = 0
    acknowledged = 0
    acknowledgedNotifications = .none
  }

  /// Reads the identity saved at `path`. If there is no such file, creates an identity and saves it there.
  /// - Throws: `CocoaError` if the file cannot be written; `DecodingError` if it contains no identity.
  public static func kept(at path: String, name: String) throws -> DeviceIdentity {
    if let bytes = FileManager.default.contents(atPath: path) {
      return try JSONDecoder().decode(DeviceIdentity.self, from: bytes)
    }
    let identity = DeviceIdentity(name: name)
    try identity.keep(at: path)
    return identity
  }

  /// Saves the identity at `path`, atomically, in a file that only its owner can read.
  /// - Throws: `CocoaError` if the file cannot be written.
  public func keep(at path: String) throws {
    let bytes = try JSONEncoder().encode(self)
    do {
      try WholeFile.put(bytes, at: path)
    } catch {
      throw CocoaError(.fileWriteUnknown)
    }
  }

  /// Replaces the key with the one that `contacts-broker device rotate-key` printed for this device.
  ///
  /// The broker rejects the previous key. Save the identity afterwards, and create a new container with it.
  /// - Throws: `invalidArguments` if `text` is not a complete key.
  public mutating func replaceKey(with text: String) throws(RecordsError) {
    key = try DeviceKey(text: text).bytes
  }

  static func newKey() -> [UInt8] {
    var generator = SystemRandomNumberGenerator()
    return DeviceKey.random(using: &generator).bytes
  }

  /// The former device as the hello names it.
  var formerDevice: FormerDevice? {
    guard let former, let device = DeviceID(former.id) else { return nil }
    return FormerDevice(device, key: former.key)
  }

  /// Stores the id that the broker assigned.
  mutating func register(as device: DeviceID) {
    id = device.description
    former = nil
  }

  /// Replaces the id, the key and the numbers, because another program uses a copy of this identity.
  mutating func resetAsNewDevice() {
    if let id { former = Former(id: id, key: key) }
    id = nil
    key = Self.newKey()
    lastNumber = 0
    acknowledged = 0
    acknowledgedNotifications = .none
  }
}

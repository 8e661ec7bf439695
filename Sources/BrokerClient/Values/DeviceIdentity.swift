// Who a program is to the broker: a device with a secret. The broker counts a device's requests and
// keeps its notifications, so a program that begins as a new device each time leaves a trail of them.

import FoundationEssentials
import Records
import WholeFiles

/// A device as the broker knows it, to be kept by the program: in a file of mode 0600, say.
///
/// There is no such thing in CloudKit, where the system keeps it. A copy used by two programs at once
/// is noticed, and one of the two becomes a new device.
public struct DeviceIdentity: Hashable, Sendable, Codable {
  /// What people see the device called, 255 bytes at most.
  public var name: String
  /// The broker's name for it, 32 hexadecimal digits; `nil` until the first connection.
  public internal(set) var id: String?
  /// 32 random bytes: the proof of being the same device. Keep them secret.
  public internal(set) var key: [UInt8]
  /// The number of the last request that had an outcome.
  public internal(set) var lastNumber: Int64
  /// Outcomes up to here were taken in.
  public internal(set) var acknowledged: Int64
  /// Notifications up to this number were taken in.
  public internal(set) var acknowledgedNotifications: NotificationNumber

  /// A device the broker has not met.
  public init(name: String) {
    self.name = name
    key = Self.newKey()
    lastNumber = 0
    acknowledged = 0
    acknowledgedNotifications = .none
  }

  /// Reads the identity kept at `path`; makes one, and keeps it there, where there is none.
  /// - Throws: what Foundation throws where the file cannot be read, written or understood.
  public static func kept(at path: String, name: String) throws -> DeviceIdentity {
    if let bytes = FileManager.default.contents(atPath: path) {
      return try JSONDecoder().decode(DeviceIdentity.self, from: bytes)
    }
    let identity = DeviceIdentity(name: name)
    try identity.keep(at: path)
    return identity
  }

  /// Writes the identity to `path`, readable by its owner only, whole or not at all.
  /// - Throws: what Foundation throws where that is not possible.
  public func keep(at path: String) throws {
    let bytes = try JSONEncoder().encode(self)
    do {
      try WholeFile.put(bytes, at: path)
    } catch {
      throw CocoaError(.fileWriteUnknown)
    }
  }

  /// Takes the key that an administrator made for this device with `contacts-broker device
  /// rotate-key`, after which the former one is refused. Keep the identity afterwards, and open the
  /// container with it anew.
  /// - Throws: `RecordError` `invalidArguments` where `text` is not a whole key.
  public mutating func takeKey(_ text: String) throws(RecordError) {
    do {
      key = try DeviceKey(text: text).bytes
    } catch {
      throw RecordError(error)
    }
  }

  static func newKey() -> [UInt8] {
    var generator = SystemRandomNumberGenerator()
    return DeviceKey.random(using: &generator).bytes
  }

  /// Begins anew as another device: somebody else uses this one.
  mutating func becomeNew() {
    id = nil
    key = Self.newKey()
    lastNumber = 0
    acknowledged = 0
    acknowledgedNotifications = .none
  }
}

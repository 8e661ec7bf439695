// The closed set of values that a field can hold. A kind from a newer program is preserved byte for
// byte as `unknown`, so an older program between two newer ones loses nothing.

/// The value of a record's field.
package enum Value: Hashable, Sendable {
  /// UTF-8 text.
  case string(String)
  /// A signed integer.
  case int64(Int64)
  /// A finite number.
  case double(Double)
  /// A Boolean.
  case boolean(Bool)
  /// A point in time.
  case date(Timestamp)
  /// Bytes that only the application interprets.
  case bytes([UInt8])
  /// A geographic location.
  case location(Location)
  /// A reference to a record in the same zone.
  case reference(Reference)
  /// A file that is stored next to the database.
  case asset(Asset)
  /// An ordered list of any scalars. Lists do not nest.
  case list([Value])
  /// An ordered list of entries with ids, such as phones or addresses.
  case entries([Entry])
  /// A value of a kind that this program does not support, as the encoding that was received.
  case unknown([UInt8])

  /// Whether the value may be an element of a list or a field of an entry.
  package var isScalar: Bool {
    switch self {
    case .list, .entries: false
    case .string, .int64, .double, .boolean, .date, .bytes, .location, .reference, .asset,
      .unknown:
      true
    }
  }
}

// Values are equal if their encodings are. Swift's `==` would also equate differently composed texts,
// and 0 with −0; an edit from one to the other would then never be sent.

extension Value {
  package static func == (left: Self, right: Self) -> Bool {
    switch (left, right) {
    case (.string(let left), .string(let right)): left.hasSameBytes(as: right)
    case (.int64(let left), .int64(let right)): left == right
    case (.double(let left), .double(let right)): left.bitPattern == right.bitPattern
    case (.boolean(let left), .boolean(let right)): left == right
    case (.date(let left), .date(let right)): left == right
    case (.bytes(let left), .bytes(let right)): left == right
    case (.location(let left), .location(let right)): left == right
    case (.reference(let left), .reference(let right)): left == right
    case (.asset(let left), .asset(let right)): left == right
    case (.list(let left), .list(let right)): left == right
    case (.entries(let left), .entries(let right)): left == right
    case (.unknown(let left), .unknown(let right)): left == right
    default: false
    }
  }

  package func hash(into hasher: inout Hasher) {
    switch self {
    case .string(let text): hasher.combine(text)
    case .int64(let number): hasher.combine(number)
    case .double(let number): hasher.combine(number)
    case .boolean(let flag): hasher.combine(flag)
    case .date(let time): hasher.combine(time)
    case .bytes(let bytes), .unknown(let bytes): hasher.combine(bytes)
    case .location(let location): hasher.combine(location)
    case .reference(let reference): hasher.combine(reference)
    case .asset(let asset): hasher.combine(asset)
    case .list(let values): hasher.combine(values)
    case .entries(let entries): hasher.combine(entries)
    }
  }
}

/// Geographic coordinates. CloudKit: `CLLocation`.
public struct Location: Hashable, Sendable {
  /// The latitude in degrees, −90 to 90; north is positive.
  public var latitudeDegrees: Double
  /// The longitude in degrees, −180 to 180; east is positive.
  public var longitudeDegrees: Double

  /// Creates a location. Saving coordinates that are out of range throws `invalidArguments`.
  public init(latitudeDegrees: Double, longitudeDegrees: Double) {
    self.latitudeDegrees = latitudeDegrees
    self.longitudeDegrees = longitudeDegrees
  }

  /// Returns whether the coordinates have the same encoding: 0 and −0 differ.
  public static func == (left: Self, right: Self) -> Bool {
    left.latitudeDegrees.bitPattern == right.latitudeDegrees.bitPattern
      && left.longitudeDegrees.bitPattern == right.longitudeDegrees.bitPattern
  }
}

/// A reference to a record in the same zone.
package struct Reference: Hashable, Sendable {
  /// The effect on the referring record when the target is deleted.
  package enum Action: UInt8, Hashable, Sendable, CaseIterable {
    /// No effect; the reference remains and dangles.
    case none = 0
    /// The referring record is deleted in the same transaction, as with CloudKit's `deleteSelf`.
    case deleteSelf = 1
  }

  /// The target's name.
  package let record: RecordName
  /// The effect of deleting the target.
  package let action: Action

  package init(record: RecordName, action: Action) {
    self.record = record
    self.action = action
  }
}

/// A file stored next to the database, identified by its content.
package struct Asset: Hashable, Sendable {
  /// The SHA-256 of the content, 32 bytes.
  package let digest: [UInt8]
  /// The length of the content in bytes.
  package let sizeBytes: UInt64

  package init(digest: [UInt8], sizeBytes: UInt64) {
    self.digest = digest
    self.sizeBytes = sizeBytes
  }
}

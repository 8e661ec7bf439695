// The closed set of what a field may hold. A kind that a newer program sends is kept byte for byte
// (`unknown`) and handed on untouched, so an older one between two newer ones loses nothing.

/// What one field of a record holds.
package enum Value: Hashable, Sendable {
  /// Text, UTF-8.
  case string(String)
  /// A whole number.
  case int64(Int64)
  /// A finite number.
  case double(Double)
  /// Yes or no.
  case boolean(Bool)
  /// A moment.
  case date(Timestamp)
  /// Bytes that mean something to the application only.
  case bytes([UInt8])
  /// A place on Earth.
  case location(Location)
  /// Another record of the same zone.
  case reference(Reference)
  /// A file kept beside the database.
  case asset(Asset)
  /// Any number of the kinds above, in order; lists are not nested.
  case list([Value])
  /// An ordered list of things with an identity of their own: phones, e-mails, addresses.
  case entries([Entry])
  /// A kind this program does not know: the value's encoding as it came.
  case unknown([UInt8])

  /// Whether the value may stand in a list or in an entry.
  package var isScalar: Bool {
    switch self {
    case .list, .entries: false
    case .string, .int64, .double, .boolean, .date, .bytes, .location, .reference, .asset,
      .unknown:
      true
    }
  }
}

/// A place on Earth, in degrees.
package struct Location: Hashable, Sendable {
  /// −90 to 90, north positive.
  package let latitudeDegrees: Double
  /// −180 to 180, east positive.
  package let longitudeDegrees: Double

  /// The place at these coordinates; whoever decodes one has checked their range.
  package init(latitudeDegrees: Double, longitudeDegrees: Double) {
    self.latitudeDegrees = latitudeDegrees
    self.longitudeDegrees = longitudeDegrees
  }
}

/// A pointer to a record of the same zone.
package struct Reference: Hashable, Sendable {
  /// What happens to the record that holds the reference when the other is deleted.
  package enum Action: UInt8, Hashable, Sendable, CaseIterable {
    /// Nothing: the reference dangles.
    case none = 0
    /// It is deleted too, in the same transaction (CloudKit's `deleteSelf`).
    case deleteSelf = 1
  }

  /// The record pointed at.
  package let record: RecordName
  /// What its deletion means here.
  package let action: Action

  /// Points at `record`.
  package init(record: RecordName, action: Action) {
    self.record = record
    self.action = action
  }
}

/// A file kept beside the database, found by its content.
package struct Asset: Hashable, Sendable {
  /// The SHA-256 of the content, 32 bytes.
  package let digest: [UInt8]
  /// The content's length in bytes.
  package let sizeBytes: UInt64

  /// Names the file with this content.
  package init(digest: [UInt8], sizeBytes: UInt64) {
    self.digest = digest
    self.sizeBytes = sizeBytes
  }
}

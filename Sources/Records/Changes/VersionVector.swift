// A version vector says which states of which histories a state of a record contains. Histories end when a broker is
// restored from a backup, and devices may have stopped at different revisions of them. Comparing the vectors of two states
// tells which is the later one, or that each has something that the other lacks.

/// For each history, the last revision that a state contains.
package struct VersionVector: Hashable, Sendable {
  /// A revision of one history.
  package struct Entry: Hashable, Sendable {
    /// The history.
    package let incarnation: Incarnation
    /// The last revision of it that the state contains.
    package let revision: Revision

    package init(incarnation: Incarnation, revision: Revision) {
      self.incarnation = incarnation
      self.revision = revision
    }
  }

  /// The histories that one vector names. At the limit, the entry with the lowest revision is dropped: after that many
  /// restores, a device that still has a state of that history merges it by field.
  package static let entriesMaximum = 16

  /// The entries, ordered by incarnation.
  package private(set) var entries: [Entry] = []

  /// Creates the vector of a state of which nothing is known.
  package init() {}

  /// Creates a vector from entries in any order.
  package init(_ entries: some Sequence<Entry>) {
    for entry in entries { raise(entry.incarnation, to: entry.revision) }
  }

  /// Whether it names no history.
  package var isEmpty: Bool { entries.isEmpty }

  /// The highest revision. Revisions rise from one history to the next, so it is that of the latest history.
  package var newest: Revision { entries.map(\.revision).max() ?? .zero }

  /// The last revision of a history that the state contains; `nil` if it contains none.
  package subscript(incarnation: Incarnation) -> Revision? {
    entries.first { $0.incarnation == incarnation }?.revision
  }

  /// Whether everything that `other` contains is contained here too.
  package func includes(_ other: VersionVector) -> Bool {
    other.entries.allSatisfy { entry in
      self[entry.incarnation].map { $0 >= entry.revision } ?? false
    }
  }

  /// Adds a history, or raises its revision.
  package mutating func raise(_ incarnation: Incarnation, to revision: Revision) {
    let entry = Entry(incarnation: incarnation, revision: revision)
    if let index = entries.firstIndex(where: { $0.incarnation == incarnation }) {
      if revision > entries[index].revision { entries[index] = entry }
      return
    }
    let place = entries.firstIndex { $0.incarnation > incarnation } ?? entries.endIndex
    entries.insert(entry, at: place)
    guard entries.count > Self.entriesMaximum,
      let oldest = entries.indices.min(by: { entries[$0].revision < entries[$1].revision })
    else { return }
    entries.remove(at: oldest)
  }

  /// Returns the vector of a state that contains both.
  package func union(_ other: VersionVector) -> VersionVector {
    var union = self
    for entry in other.entries { union.raise(entry.incarnation, to: entry.revision) }
    return union
  }
}

/// What a state of a record contains of histories that have ended.
package struct FormerVersion: Hashable, Sendable {
  /// The states that it contains.
  package let versions: VersionVector
  /// Whether `versions` are all that the state contains. This holds for a state of a former history that was saved again
  /// unchanged, for one in place of a damaged state, and for those that follow. Any other state also contains its own
  /// revision, and the lineage of its zone up to that.
  package let isExact: Bool

  package init(_ versions: VersionVector, isExact: Bool) {
    self.versions = versions
    self.isExact = isExact
  }
}

extension VersionVector {
  /// The vector as stored: 24 bytes for each entry.
  package var bytes: [UInt8] {
    entries.flatMap { entry in
      entry.incarnation.bytes + withUnsafeBytes(of: entry.revision.value.bigEndian) { [UInt8]($0) }
    }
  }

  /// Reads a stored vector; `nil` for bytes of another form.
  package init?(bytes: some Collection<UInt8>) {
    guard let entries = Entry.all(in: bytes) else { return nil }
    self.init(entries)
  }
}

extension VersionVector.Entry {
  private static let byteCount = 24

  /// Reads stored entries; `nil` for bytes of another form.
  static func all(in bytes: some Collection<UInt8>) -> [Self]? {
    let bytes = Array(bytes)
    guard bytes.count.isMultiple(of: byteCount) else { return nil }
    var entries: [Self] = []
    for start in stride(from: 0, to: bytes.count, by: byteCount) {
      guard let incarnation = Incarnation(bytes: bytes[start..<start + 16]) else { return nil }
      let revision = bytes[start + 16..<start + byteCount].reduce(Int64(0)) { $0 << 8 | Int64($1) }
      entries.append(Self(incarnation: incarnation, revision: Revision(revision)))
    }
    return entries
  }
}

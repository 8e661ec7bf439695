// The lineage of a zone's history: the histories that it continues. A restored broker starts a new history of each zone,
// whose revisions begin far above those that were lost, so a revision belongs to one history of a lineage only.

/// The ended histories that a zone's present history continues, the earliest first.
package struct Lineage: Hashable, Sendable {
  /// The histories that a lineage names; the earliest are dropped. A device that has read none of these merges by field.
  package static let entriesMaximum = 16

  /// How far the revisions of a new history begin above those of the former one, at least. More changes than that are never
  /// lost at once, so a revision belongs to one history only.
  package static let gapMinimum: Int64 = 1 << 32

  /// Each ended history with the last revision that the next one has of it.
  package private(set) var entries: [VersionVector.Entry]

  /// Creates a lineage of entries, the earliest first; of more than `entriesMaximum`, the last ones.
  package init(_ entries: [VersionVector.Entry] = []) {
    self.entries = Array(entries.suffix(Self.entriesMaximum))
  }

  /// Whether the present history continues no other.
  package var isEmpty: Bool { entries.isEmpty }

  /// The history that the present one continues directly.
  package var last: VersionVector.Entry? { entries.last }

  /// Everything that the present history has of the ended ones.
  package var versions: VersionVector { VersionVector(entries) }

  /// Returns the lineage of a history that continues `incarnation`, of which this is the lineage, after `revision`.
  package func continued(from incarnation: Incarnation, after revision: Revision) -> Lineage {
    Lineage(entries + [VersionVector.Entry(incarnation: incarnation, revision: revision)])
  }

  /// Returns the ended history to which a revision belongs; `nil` if it is one of the present history.
  package func endedHistory(of revision: Revision) -> Incarnation? {
    entries.first { revision <= $0.revision }?.incarnation
  }

  /// Returns what a state contains.
  /// - Parameters:
  ///   - tag: The tag of the state.
  ///   - former: What is stored of it besides.
  ///   - incarnation: The present history.
  package func versions(
    at tag: Revision, _ former: FormerVersion?, in incarnation: Incarnation
  ) -> VersionVector {
    if let former, former.isExact { return former.versions }
    var versions = VersionVector()
    for entry in entries {
      if tag <= entry.revision {
        versions.raise(entry.incarnation, to: tag)
        return versions.union(former?.versions ?? VersionVector())
      }
      versions.raise(entry.incarnation, to: entry.revision)
    }
    versions.raise(incarnation, to: tag)
    return versions.union(former?.versions ?? VersionVector())
  }
}

extension Lineage {
  /// The lineage as stored: 24 bytes for each entry.
  package var bytes: [UInt8] {
    entries.flatMap { VersionVector([$0]).bytes }
  }

  /// Reads a stored lineage; `nil` for bytes of another form.
  package init?(bytes: some Collection<UInt8>) {
    guard let entries = VersionVector.Entry.all(in: bytes) else { return nil }
    self.init(entries)
  }
}

// Sort keys and section headings of contacts in a person's language. A sort key is a byte string: the section
// first, so that the contacts of one section are adjacent, then the collation key of the name.

import Collation
import Records
import Synchronization

/// Sorts contacts by the rules of one language.
package final class ContactCollator: Sendable {
  /// The language.
  package let language: Language
  /// The version of the sort keys. Keys of different versions cannot be compared. Languages with the same
  /// order have the same version.
  package let version: String

  private let collator: Collator
  private let sections: Sections

  private static let known = Mutex<[Language: ContactCollator]>([:])
  // A device uses one language; people who try others do so one at a time.
  private static let knownMaximum = 16

  /// Returns the collator of `language`. Creating it takes some ten milliseconds, so it is cached.
  package static func of(_ language: Language) -> ContactCollator {
    if let ordering = known.withLock({ $0[language] }) { return ordering }
    let ordering = ContactCollator(language)
    known.withLock { known in
      if known.count >= knownMaximum { known = [:] }
      known[language] = ordering
    }
    return ordering
  }

  private init(_ language: Language) {
    self.language = language
    collator = Collator(language)
    sections = Sections(collator)
    version = "\(collator.version) \(sections.version) order 1"
  }

  /// Returns the sort key of a contact in a list led by `order`. Takes about two microseconds.
  package func sortKey(of name: ContactName, _ order: NameOrder) -> ContactSortKey {
    var parts = name.parts(order)
    let (section, leading) = sections.place(of: parts[0])
    parts[0] = leading
    return ContactSortKey(section: section, key: collator.key(parts))
  }

  /// Returns the heading of a section: a letter of some script, or `#`.
  package func label(ofSection section: UInt32) -> String {
    sections.label(of: section)
  }

  /// Whether one title, such as a group's, precedes another in the language.
  package func precedes(_ left: String, _ right: String) -> Bool {
    collator.key([left]).lexicographicallyPrecedes(collator.key([right]))
  }
}

/// The position of a contact in a sorted list.
package struct ContactSortKey: Hashable, Sendable {
  /// The length of the section at the start of a key.
  package static let sectionBytes = 4

  /// The key, compared byte by byte.
  package let bytes: [UInt8]

  /// Creates a key within a section.
  init(section: UInt32, key: [UInt8]) {
    bytes = Self.start(ofSection: section) + key
  }

  /// Returns the common prefix of all keys of a section, which is also the lowest possible key.
  package static func start(ofSection section: UInt32) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: section >> $0) }
  }

  /// Returns the section of a stored key.
  package static func section(of bytes: [UInt8]) -> UInt32 {
    var section: UInt32 = 0
    for byte in bytes.prefix(sectionBytes) { section = section << 8 | UInt32(byte) }
    return section
  }
}

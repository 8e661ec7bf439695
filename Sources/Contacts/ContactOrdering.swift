// Where a contact stands in a list, and under which heading: the person's language applied to the
// parts of the name. A place is bytes that anything can compare: the heading first, so that what is
// under one heading stays together, then the name's own sort key.

import Collation
import Records
import Synchronization

/// The order of lists in one language.
package final class ContactOrdering: Sendable {
  /// The language.
  package let language: Language
  /// Places made under another version cannot be compared with those made now. Languages that
  /// sort alike have the same.
  package let version: String

  private let collator: Collator
  private let sections: Sections

  private static let known = Mutex<[Language: ContactOrdering]>([:])
  // A device has one; people who try others do so one at a time.
  private static let knownMaximum = 16

  /// The order of `language`; made once, which takes some ten milliseconds, and remembered.
  package static func of(_ language: Language) -> ContactOrdering {
    if let ordering = known.withLock({ $0[language] }) { return ordering }
    let ordering = ContactOrdering(language)
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

  /// Where the contact stands in a list led by `order`. Some two microseconds.
  package func place(of naming: ContactNaming, _ order: NameOrder) -> ContactPlace {
    var parts = naming.parts(order)
    let (section, leading) = sections.place(of: parts[0])
    parts[0] = leading
    return ContactPlace(section: section, key: collator.key(parts))
  }

  /// What stands above the contacts of a section: a letter of some script, or `#`.
  package func label(ofSection section: UInt32) -> String {
    sections.label(of: section)
  }

  /// Compares titles, of groups and the like, as the language does.
  package func precedes(_ left: String, _ right: String) -> Bool {
    collator.key([left]).lexicographicallyPrecedes(collator.key([right]))
  }
}

/// A place in a list.
package struct ContactPlace: Hashable, Sendable {
  /// The bytes of a section, in front of all others.
  package static let sectionBytes = 4

  /// What is compared, byte by byte.
  package let bytes: [UInt8]

  /// The place of `key` within a section.
  init(section: UInt32, key: [UInt8]) {
    bytes = Self.start(ofSection: section) + key
  }

  /// What all places of a section begin with, and the first that can be there.
  package static func start(ofSection section: UInt32) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: section >> $0) }
  }

  /// The section of a place that was kept as bytes.
  package static func section(of bytes: some Sequence<UInt8>) -> UInt32 {
    bytes.prefix(sectionBytes).reduce(0) { $0 << 8 | UInt32($1) }
  }
}

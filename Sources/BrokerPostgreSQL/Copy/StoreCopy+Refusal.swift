import BrokerStore

extension StoreCopy {
  /// Why a store is not copied. The source serves as before.
  package enum Refusal: Error, Hashable {
    /// The source and the target are the same store.
    case sameStore
    /// The source, with its name, has no store.
    case noStore(String)
    /// The source's store was copied before; the name of the sealed one.
    case sourceIsSealed(String)
    /// The source also has a sealed store, with this name, which sealing would replace.
    case hasSealedStore(String)
    /// The source has a table that this version does not know.
    case unknownTable(String, String)
    /// The target, with its name, has a broker's records.
    case targetHasRecords(String)
    /// The target has an unfinished copy, with this name, of another store, or of this one before it was changed.
    case otherCopy(String)
    /// A text has the character NUL, which PostgreSQL cannot store.
    case textWithNUL(column: String, row: String)
    /// A table of the copy, with the copy's name, has other rows than the source's.
    case differs(table: String, expected: Int, found: Int, String)
    /// Asset files of the source are missing or damaged, which the broker has not noticed yet; the name of the first.
    case lostFiles(first: String, count: Int)
    /// An asset file, with its name at the target, is damaged there although it was just written.
    case fileDiffers(String)

    /// A sentence that says what is the matter.
    package var message: String {
      switch self {
      case .sameStore: "The source and the target are the same store."
      case .noStore(let name): "There is no broker's store in \(name)."
      case .sourceIsSealed(let name): "The store was copied before. It was renamed to \(name)."
      case .hasSealedStore(let name): "An earlier store is in the way: \(name)."
      case .unknownTable(let table, let name):
        "This version cannot copy the table “\(table)” of \(name)."
      case .targetHasRecords(let name): "The target already has records: \(name)."
      case .otherCopy(let name):
        "The target has the unfinished copy of another store, or of this one before it was changed: \(name)."
      case .textWithNUL(let column, let row):
        "PostgreSQL cannot store the text in \(column), where \(row): it has the character U+0000."
      case .differs(let table, let expected, let found, let name):
        "The table “\(table)” has other rows in the copy: \(expected) in the source, \(found) in \(name)."
      case .lostFiles(let name, let count):
        count == 1
          ? "An asset file of the source is missing or damaged: “\(name)”."
          : "\(count) asset files of the source are missing or damaged. The first is “\(name)”."
      case .fileDiffers(let name): "An asset file is damaged in the copy: “\(name)”."
      }
    }

    /// A sentence that says what to do.
    package var hint: String {
      switch self {
      case .sameStore, .noStore: "Check --from and --to."
      case .sourceIsSealed: "Let the broker use the store to which it was copied."
      case .hasSealedStore: "It is no longer used; delete it, or move it away."
      case .unknownTable: "Use the version of contacts-broker that wrote it."
      case .targetHasRecords: "Nothing was copied. Choose a target without records."
      case .otherCopy: "Repeat the command with --discard to delete that copy and begin again."
      case .textWithNUL: "Start the broker on the source, and rename or delete what has this text."
      case .differs:
        "Nothing was changed in the source. Repeat the command with --discard to begin again."
      case .lostFiles:
        "The source was not sealed. Restore the file from a backup, or start the broker, which asks devices for it; "
          + "then repeat the command."
      case .fileDiffers:
        "The source was not sealed. Check the disk of the target, and repeat the command."
      }
    }
  }
}

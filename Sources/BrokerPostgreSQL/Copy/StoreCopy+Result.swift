import BrokerStore

extension StoreCopy {
  /// What a copy has verified so far.
  package struct Result: Sendable {
    /// The tables, in the order in which they were compared. Empty if an earlier run had compared all.
    package private(set) var tables: [CopiedRows] = []
    /// The asset files.
    package private(set) var files = CopiedFiles.Count()

    /// Creates the result of a copy that has not begun.
    package init() {}

    /// Adds what a step has verified.
    package mutating func add(_ step: Step) {
      switch step {
      case .verified(let rows): tables.append(rows)
      case .verifiedFiles(let count): files = count
      case .begun, .written, .filed, .published, .sealed: break
      }
    }

    /// The tables with the numbers of their rows, for display. The asset files are the last one.
    package var listing: ArchiveTable {
      let all = tables + [CopiedRows(table: "asset files", count: files.files)]
      return ArchiveTable(
        columns: ["table", "rows"],
        rows: all.map { [.text($0.table), .number(Int64($0.count))] })
    }
  }
}

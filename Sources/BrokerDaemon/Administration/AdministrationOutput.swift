// What an administrator's command says on standard output: a table for people, JSON for programs.

import BrokerStore
import Foundation
import Records

/// Writes to standard output.
enum AdministrationOutput {
  /// Says one sentence.
  static func say(_ sentence: String) {
    FileHandle.standardOutput.write(Data("\(sentence)\n".utf8))
  }

  /// Prints a key, by itself, and the sentence beside it where people read it.
  static func show(_ key: DeviceKey, _ sentence: String) {
    say(key.text)
    warn(sentence)
  }

  /// Says one sentence on standard error.
  static func warn(_ sentence: String) {
    FileHandle.standardError.write(Data("\(sentence)\n".utf8))
  }

  /// Shows a table: with a header and aligned, or as the list `name` of one JSON document.
  static func show(_ listing: BrokerArchive.Listing, as name: String, isJSON: Bool) throws {
    isJSON ? try showJSON(listing, name) : showTable(listing)
  }

  private static func showTable(_ listing: BrokerArchive.Listing) {
    let lines = [listing.columns] + listing.rows.map { $0.map(\.shown) }
    let widths = listing.columns.indices.map { column in
      lines.map { $0[column].count }.max() ?? 0
    }
    for line in lines {
      let cells = zip(line, widths).map { cell, width in
        cell + String(repeating: " ", count: width - cell.count)
      }
      say(cells.joined(separator: "  ").trimmingCharacters(in: .whitespaces))
    }
  }

  private static func showJSON(_ listing: BrokerArchive.Listing, _ name: String) throws {
    let rows = listing.rows.map { row in
      Dictionary(zip(listing.columns, row.map(\.value)), uniquingKeysWith: { first, _ in first })
    }
    let document: [String: Any] = ["schema": 1, name: rows]
    let bytes = try JSONSerialization.data(
      withJSONObject: document, options: [.sortedKeys, .withoutEscapingSlashes])
    say(String(decoding: bytes, as: UTF8.self))
  }
}

extension BrokerArchive.Listing.Cell {
  fileprivate var shown: String {
    switch self {
    case .number(let number): String(number)
    case .text(let text): text
    }
  }

  fileprivate var value: Any {
    switch self {
    case .number(let number): number
    case .text(let text): text
    }
  }
}

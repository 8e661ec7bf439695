// The output of the administrative subcommands: tables for people, JSON for programs.

import BrokerStore
import Foundation
import Records

/// Writes to standard output and standard error.
enum AdministrationOutput {
  /// Writes a line to standard output.
  static func writeLine(_ sentence: String) {
    FileHandle.standardOutput.write(Data("\(sentence)\n".utf8))
  }

  /// Writes a key to standard output, and the sentence to standard error, so that a pipe gets only the key.
  static func show(_ key: DeviceKey, _ sentence: String) {
    writeLine(key.text)
    warn(sentence)
  }

  /// Writes a line to standard error.
  static func warn(_ sentence: String) {
    FileHandle.standardError.write(Data("\(sentence)\n".utf8))
  }

  /// Writes a table to standard output: aligned and with a header, or as the list `name` of a JSON
  /// document.
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
      writeLine(cells.joined(separator: "  ").trimmingCharacters(in: .whitespaces))
    }
  }

  private static func showJSON(_ listing: BrokerArchive.Listing, _ name: String) throws {
    let rows = listing.rows.map { row in
      Dictionary(zip(listing.columns, row.map(\.value)), uniquingKeysWith: { first, _ in first })
    }
    let document: [String: Any] = ["schema": 1, name: rows]
    let bytes = try JSONSerialization.data(
      withJSONObject: document, options: [.sortedKeys, .withoutEscapingSlashes])
    writeLine(String(decoding: bytes, as: UTF8.self))
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

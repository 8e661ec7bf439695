// The output of the administrative subcommands: tables for people, JSON for programs.

import BrokerStore
import DaemonKit
import Foundation
import Glibc
import Records

/// Writes to standard output and standard error.
enum AdministrationOutput {
  /// Writes a line to standard output. If that is not possible, reports it and exits the process.
  static func writeLine(_ sentence: String) {
    let number = write("\(sentence)\n", to: STDOUT_FILENO)
    guard number != 0 else { return }
    let reason = number == EBADF ? "it is closed" : String(cString: strerror(number))
    DaemonExit.end(
      "contacts-broker",
      because: DaemonError(.inputOutput, "Cannot write to standard output: \(reason)."))
  }

  /// Writes a key to standard output, and the sentence to standard error, so that a pipe gets only the key.
  static func show(_ key: DeviceKey, _ sentence: String) {
    writeLine(key.text)
    warn(sentence)
  }

  /// Writes a line to standard error.
  static func warn(_ sentence: String) {
    // A failed write is ignored: there is no other place to report it.
    _ = write("\(sentence)\n", to: STDERR_FILENO)
  }

  /// Warns if other users of the machine can list or enter a directory with people's data.
  static func warnIfOpen(directory: String) {
    var status = stat()
    guard stat(directory, &status) == 0, status.st_mode & 0o077 != 0 else { return }
    let mode = String(status.st_mode & 0o777, radix: 8)
    warn(
      "Other users of this machine can list or enter “\(directory)” (mode \(mode)). The files written "
        + "now are for their owner only. To close the directory: chmod 700 DIRECTORY")
  }

  /// Writes a text. Returns 0, or the error number.
  private static func write(_ text: String, to file: Int32) -> Int32 {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
      guard count > 0 || errno == EINTR else { return errno }
      rest = rest.dropFirst(max(0, count))
    }
    return 0
  }

  /// Writes a table to standard output: aligned and with a header, or as the list `name` of a JSON
  /// document.
  static func show(_ listing: ArchiveTable, as name: String, isJSON: Bool) throws {
    isJSON ? try showJSON(listing, name) : showTable(listing)
  }

  private static func showTable(_ listing: ArchiveTable) {
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

  private static func showJSON(_ listing: ArchiveTable, _ name: String) throws {
    let rows = listing.rows.map { row in
      Dictionary(zip(listing.columns, row.map(\.value)), uniquingKeysWith: { first, _ in first })
    }
    let document: [String: Any] = ["schema": 1, name: rows]
    let bytes = try JSONSerialization.data(
      withJSONObject: document, options: [.sortedKeys, .withoutEscapingSlashes])
    writeLine(String(decoding: bytes, as: UTF8.self))
  }
}

extension ArchiveTable.Cell {
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

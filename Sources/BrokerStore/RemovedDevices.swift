// The file with the ids of removed devices, next to the broker's database. A backup can be older than a removal,
// and a restored broker must not admit a lost device again. So the store writes each removal to this file before it
// commits it, and removes the listed devices when it opens the database.

import FoundationEssentials
import Glibc
import Records
import WholeFiles

/// The file of removed devices: an id on each line.
package struct RemovedDevices: Sendable {
  /// The name of the file in the broker's state directory.
  package static let name = "removed-devices"

  private let path: String

  /// The file at `path`, which need not exist.
  package init(path: String) {
    self.path = path
  }

  /// The file at `path`.
  /// - Throws: `StoreError` `unreadable` if there is none.
  package init(existing path: String) throws(StoreError) {
    guard FileManager.default.fileExists(atPath: path) else {
      throw StoreError(.unreadable, "There is no file “\(path)”.")
    }
    self.init(path: path)
  }

  /// The file in the directory of a database; `nil` if the path has no directory.
  init?(besideDatabase path: String) {
    guard let end = path.lastIndex(of: "/") else { return nil }
    self.init(path: "\(path[...end])\(Self.name)")
  }

  /// Returns the listed devices; none if there is no file. A last line without an end is left out: a crash has
  /// interrupted it, before its removal was committed.
  /// - Throws: `StoreError` if the file cannot be read, or a line is not the id of a device.
  package func ids() throws(StoreError) -> Set<DeviceID> {
    guard FileManager.default.fileExists(atPath: path) else { return [] }
    guard let bytes = FileManager.default.contents(atPath: path) else {
      throw StoreError(.unreadable, "Cannot read the file “\(path)”.")
    }
    var ids: Set<DeviceID> = []
    let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    for (index, line) in lines.dropLast().enumerated() where !line.isEmpty {
      guard let id = DeviceID(String(decoding: line, as: UTF8.self)) else {
        throw StoreError(
          .damaged, "Line \(index + 1) of the file “\(path)” is not the id of a device.")
      }
      ids.insert(id)
    }
    return ids
  }

  /// Whether there is no file, or its last line has no end.
  func isIncomplete() -> Bool {
    guard let bytes = FileManager.default.contents(atPath: path) else { return true }
    return bytes.last.map { $0 != UInt8(ascii: "\n") } ?? false
  }

  /// Replaces the file, durable on return.
  /// - Throws: `StoreError`. The file is then as it was.
  package func replace(with ids: Set<DeviceID>) throws(StoreError) {
    do {
      try WholeFile.put(Self.lines(ids), at: path)
    } catch {
      throw StoreError(.unexpected, "Cannot write the file “\(path)”: \(error).")
    }
  }

  /// Adds devices at the end of the file, durable on return.
  /// - Throws: `StoreError`.
  func append(_ ids: Set<DeviceID>) throws(StoreError) {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_CLOEXEC, 0o600)
    defer { if descriptor >= 0 { close(descriptor) } }
    let bytes = Self.lines(ids)
    guard descriptor >= 0, write(descriptor, bytes, bytes.count) == bytes.count,
      fsync(descriptor) == 0
    else {
      throw StoreError(
        .unexpected, "Cannot write the file “\(path)”: \(String(cString: strerror(errno))).")
    }
  }

  private static func lines(_ ids: Set<DeviceID>) -> [UInt8] {
    Array(ids.map(\.description).sorted().map { "\($0)\n" }.joined().utf8)
  }
}

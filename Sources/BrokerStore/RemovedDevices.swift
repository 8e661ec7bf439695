// The file with the ids of removed devices, next to the broker's database. A backup can be older than a removal,
// and a restored broker must not admit a lost device again. So the store writes each removal to this file before it
// commits it, and removes the listed devices when it opens the database.

import FoundationEssentials
import Records
import WholeFiles

/// The file of removed devices: an id on each line.
package struct RemovedDevices: Sendable {
  /// The name of the file in the broker's state directory.
  package static let name = "removed-devices"
  /// The longest file that is read. It has room for half a million devices.
  private static let bytesMaximum = 16 << 20

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

  /// Returns the listed devices; none if there is no file.
  /// - Throws: `StoreError` if the file cannot be read, or a line is not the id of a device.
  package func ids() throws(StoreError) -> Set<DeviceID> {
    guard FileManager.default.fileExists(atPath: path) else { return [] }
    guard let bytes = FileManager.default.contents(atPath: path), bytes.count <= Self.bytesMaximum
    else { throw StoreError(.unreadable, "Cannot read the file “\(path)”.") }
    var ids: Set<DeviceID> = []
    for (index, line) in bytes.split(separator: UInt8(ascii: "\n")).enumerated() {
      let text = String(decoding: line, as: UTF8.self)
      guard let id = DeviceID(text) else {
        throw StoreError(
          .damaged, "Line \(index + 1) of the file “\(path)” is not the id of a device.")
      }
      ids.insert(id)
    }
    return ids
  }

  /// Adds devices to the file, durable on return.
  /// - Throws: `StoreError`. The file is then as it was.
  package func add(_ added: Set<DeviceID>) throws(StoreError) {
    let ids = try ids()
    guard !added.isSubset(of: ids) else { return }
    let lines = ids.union(added).map(\.description).sorted().map { "\($0)\n" }
    do {
      try WholeFile.put(lines.joined().utf8, at: path)
    } catch {
      throw StoreError(.unexpected, "Cannot write the file “\(path)”: \(error).")
    }
  }
}

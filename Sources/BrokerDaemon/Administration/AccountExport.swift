// Exports all data of an account in files that need no broker to be read: one line of JSON for the account,
// each zone and each record, and the assets as files. The export is a snapshot of the database and can be
// made while a broker runs.

import AssetFiles
import BrokerStore
import DaemonKit
import Foundation
import Records

/// Writes the data of an account into a directory.
struct AccountExport {
  /// The output directory: `account.ndjson`, and assets in `files/`.
  let directory: String

  private static let chunkBytes = 1 << 20

  /// The number of exported records and files.
  struct Count {
    var records = 0
    var files = 0
    /// The names of records that are damaged on disk and were omitted.
    var damaged: [String] = []
  }

  /// Exports the account `name` of the broker whose records are at `location`.
  /// - Returns: the number of records and files written.
  /// - Throws: `DaemonError` `cannotCreate` if the directory already holds an export.
  func write(_ name: String, of location: StoreLocation) throws -> Count {
    let lines = "\(directory)/account.ndjson"
    guard !FileManager.default.fileExists(atPath: lines) else {
      throw DaemonError(
        .cannotCreate, "“\(lines)” already exists.", hint: "Choose an empty directory.")
    }
    let partial = "\(lines).new"
    var begun: FileHandle?
    var digests: Set<AssetDigest> = []
    var count = Count()
    try location.archive.export(account: name) { item in
      // The directory is created when the account is found, so a wrong name leaves none.
      let output = try begun ?? begin(partial)
      begun = output
      switch item {
      case .record(let record):
        count.records += 1
        digests.formUnion(record.change.record.assets.map(\.id))
      case .damaged(let state): count.damaged.append(state.name)
      case .account, .zone: break
      }
      let line = try JSONSerialization.data(
        withJSONObject: item.json, options: [.sortedKeys, .withoutEscapingSlashes])
      try output.write(contentsOf: line + Data("\n".utf8))
    }
    try begun?.synchronize()
    try begun?.close()
    if !digests.isEmpty {
      // Opened only now, because opening creates the directory of files if it is missing.
      let files = try location.files()
      for digest in digests { try copy(digest, of: files) }
    }
    try FileManager.default.moveItem(atPath: partial, toPath: lines)
    count.files = digests.count
    return count
  }

  private func begin(_ path: String) throws -> FileHandle {
    try BrokerBackup.makeDirectory("\(directory)/files")
    guard
      FileManager.default.createFile(
        atPath: path, contents: nil, attributes: [.posixPermissions: NSNumber(value: 0o600)]),
      let output = FileHandle(forWritingAtPath: path)
    else { throw DaemonError(.cannotCreate, "Cannot write “\(path)”.") }
    return output
  }

  /// Copies an asset. Throws if its content does not match its digest.
  private func copy(_ digest: AssetDigest, of files: any CompleteFiles) throws {
    let content = try files.open(digest, verified: nil)
    let target = "\(directory)/files/\(digest)"
    guard
      FileManager.default.createFile(
        atPath: target, contents: nil,
        attributes: [.posixPermissions: NSNumber(value: 0o600)]),
      let output = FileHandle(forWritingAtPath: target)
    else { throw DaemonError(.cannotCreate, "Cannot write “\(target)”.") }
    var offset = 0
    while offset < content.byteCount {
      let bytes = try content.bytes(from: offset, count: Self.chunkBytes)
      try output.write(contentsOf: Data(bytes))
      offset += bytes.count
    }
    try output.synchronize()
    try output.close()
  }
}

extension ArchiveExport.Item {
  fileprivate var json: [String: Any] {
    switch self {
    case .account(let name, let id, let displayName):
      ["kind": "account", "name": name, "id": "\(id)", "displayName": displayName]
    case .zone(let container, let zone, let title):
      [
        "kind": "zone", "container": container, "zone": "\(zone.name)", "title": title,
        "database": zone.databaseName,
      ]
    case .record(let record): record.json
    case .damaged(let state): ["kind": "damaged", "name": state.name]
    }
  }
}

extension ArchiveExport.Record {
  fileprivate var json: [String: Any] {
    [
      "kind": "record", "container": container, "zone": "\(zone.name)",
      "database": zone.databaseName,
      "name": change.name.text, "type": change.type.text,
      "created": "\(change.created.time)", "modified": "\(change.modified.time)",
      "fields": fields.json,
    ]
  }
}

extension Fields {
  fileprivate var json: [String: Any] {
    Dictionary(all.map { ($0.key.text, $0.value.json) }, uniquingKeysWith: { first, _ in first })
  }
}

extension Value {
  /// The value under the name of its type, so that readers need not guess the type.
  fileprivate var json: [String: Any] {
    switch self {
    case .string(let text): ["string": text]
    case .int64(let number): ["int64": number]
    case .double(let number): ["double": number]
    case .boolean(let truth): ["boolean": truth]
    case .date(let time): ["date": "\(time)"]
    case .bytes(let bytes): ["bytes": Data(bytes).base64EncodedString()]
    case .location(let place):
      ["location": ["latitude": place.latitudeDegrees, "longitude": place.longitudeDegrees]]
    case .reference(let reference):
      [
        "reference": [
          "record": reference.record.text,
          "action": reference.action == .deleteSelf ? "deleteSelf" : "none",
        ]
      ]
    case .asset(let asset): ["asset": ["file": "\(asset.id)", "bytes": asset.byteCount]]
    case .list(let values): ["list": values.map(\.json)]
    case .entries(let entries):
      [
        "entries": entries.map { entry in
          ["id": "\(entry.id)", "position": entry.position.text, "fields": entry.fields.json]
            as [String: Any]
        }
      ]
    case .unknown(let bytes): ["unknown": Data(bytes).base64EncodedString()]
    }
  }
}

extension ZoneID {
  /// The database of a zone: an account's records are in its private database or in the public one.
  fileprivate var databaseName: String { isPublic ? "public" : "private" }
}

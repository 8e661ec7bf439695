// The directory: which zones an account may see, and how.

import FoundationEssentials
import Records
import SwiftProtobuf

extension DirectoryPage {
  init(_ wire: WireDirectory) throws(RecordsError) {
    var entries: [DirectoryEntry] = []
    entries.reserveCapacity(wire.entries.count)
    for entry in wire.entries { entries.append(try DirectoryEntry(entry)) }
    self.init(
      from: try Revision(wire: wire.from), to: try Revision(wire: wire.to), entries: entries)
  }

  var wire: WireDirectory {
    .with {
      $0.from = from.wire
      $0.to = to.wire
      $0.entries = entries.map(\.wire)
    }
  }
}

extension DirectoryEntry {
  fileprivate init(_ wire: WireDirectoryEntry) throws(RecordsError) {
    guard let role = Role(rawValue: UInt8(clamping: wire.role.rawValue)) else {
      throw .unknownKind(of: "role")
    }
    self.init(
      revision: try Revision(wire: wire.revision), zone: try ZoneID(wire.zone),
      title: try checkedTitle(wire.title, of: "a title"), role: role,
      isWritable: wire.isWritable, incarnation: try Incarnation(wire: wire.incarnation),
      isDeleted: wire.isDeleted)
  }

  fileprivate var wire: WireDirectoryEntry {
    .with {
      $0.revision = revision.wire
      $0.zone = zone.wire
      $0.title = title
      $0.role = WireRole(rawValue: Int(role.rawValue)) ?? .member
      $0.isWritable = isWritable
      $0.incarnation = incarnation.wire
      $0.isDeleted = isDeleted
    }
  }
}

// The directory on the wire: zones with their participants and requests for access, and the devices of an account.

import FoundationEssentials
import Records
import SwiftProtobuf

extension DirectoryPage {
  init(_ wire: WireDirectory) throws(RecordsError) {
    var entries: [DirectoryEntry] = []
    entries.reserveCapacity(wire.entries.count)
    for entry in wire.entries { entries.append(try DirectoryEntry(entry)) }
    var devices: [DirectoryDevice] = []
    for device in wire.devices { devices.append(try DirectoryDevice(device)) }
    self.init(
      from: try Revision(wire: wire.from), to: try Revision(wire: wire.to), entries: entries,
      devices: devices, subscriptions: try SubscriptionState.list(wire.subscriptions))
  }

  var wire: WireDirectory {
    .with {
      $0.from = from.wire
      $0.to = to.wire
      $0.entries = entries.map(\.wire)
      $0.devices = devices.map(\.wire)
      $0.subscriptions = subscriptions.map(\.wire)
    }
  }
}

extension DirectoryDevice {
  fileprivate init(_ wire: WireDirectoryDevice) throws(RecordsError) {
    self.init(
      id: try DeviceID(wire: wire.id), name: try checkedTitle(wire.name, of: "a device's name"),
      seen: Timestamp(microseconds: wire.seenMicroseconds), isRemoved: wire.isRemoved)
  }

  fileprivate var wire: WireDirectoryDevice {
    .with {
      $0.id = id.wire
      $0.name = name
      $0.seenMicroseconds = seen.microseconds
      $0.isRemoved = isRemoved
    }
  }
}

extension DirectoryEntry {
  fileprivate init(_ wire: WireDirectoryEntry) throws(RecordsError) {
    guard let role = Role(rawValue: UInt8(clamping: wire.role.rawValue)) else {
      throw .unknownKind(of: "role")
    }
    var members: [ZoneMember] = []
    for member in wire.members { members.append(try ZoneMember(member)) }
    var requests: [AccessRequest] = []
    for request in wire.requests { requests.append(try AccessRequest(request)) }
    self.init(
      revision: try Revision(wire: wire.revision), zone: try ZoneID(wire.zone),
      title: try checkedTitle(wire.title, of: "a title"), role: role,
      isWritable: wire.isWritable, incarnation: try Incarnation(wire: wire.incarnation),
      isDeleted: wire.isDeleted,
      deletion: wire.hasDeletion ? try ZoneDeletion(wire.deletion) : nil,
      erasedThrough: try Revision(wire: wire.erasedThrough),
      ownerName: try checkedTitle(wire.ownerName, of: "an account's name"),
      isShared: wire.isShared,
      ownerDisplayName: try checkedTitle(wire.ownerDisplayName, of: "a person's name"),
      members: members, requests: requests,
      titleRevision: try Revision(wire: wire.titleRevision),
      membersRevision: try Revision(wire: wire.membersRevision),
      restorations: Int(wire.restorations))
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
      if let deletion { $0.deletion = deletion.wire }
      $0.erasedThrough = erasedThrough.wire
      $0.ownerName = ownerName
      $0.isShared = isShared
      $0.ownerDisplayName = ownerDisplayName
      $0.members = members.map(\.wire)
      $0.requests = requests.map(\.wire)
      $0.titleRevision = titleRevision.wire
      $0.membersRevision = membersRevision.wire
      $0.restorations = UInt32(clamping: restorations)
    }
  }
}

extension ZoneDeletion {
  fileprivate init(_ wire: WireZoneDeletion) throws(RecordsError) {
    self.init(
      time: Timestamp(microseconds: wire.timeMicroseconds),
      recordCount: Int(clamping: wire.recordCount), head: try Revision(wire: wire.head),
      hasDeletedRecords: wire.hasDeletedRecords_p)
  }

  fileprivate var wire: WireZoneDeletion {
    .with {
      $0.timeMicroseconds = time.microseconds
      $0.recordCount = UInt64(clamping: recordCount)
      $0.head = head.wire
      $0.hasDeletedRecords_p = hasDeletedRecords
    }
  }
}

extension ZoneMember {
  fileprivate init(_ wire: WireZoneMember) throws(RecordsError) {
    self.init(
      account: try AccountID(wire: wire.account),
      name: try checkedTitle(wire.name, of: "an account's name"),
      displayName: try checkedTitle(wire.displayName, of: "a person's name"))
  }

  fileprivate var wire: WireZoneMember {
    .with {
      $0.account = account.wire
      $0.name = name
      $0.displayName = displayName
    }
  }
}

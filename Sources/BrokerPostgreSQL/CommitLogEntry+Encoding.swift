// The fields of an entry. All brokers of a database read every entry, so what is empty takes no bytes. Numbers of fields
// that are no longer used must stay unused.

import BrokerCore
import BrokerStore
import Records

extension CommitLogEntry {
  private enum Field: Int {
    case zone = 1
    case directory
    case deletedZone
    case loss
    case expulsion
    case notified
    case resumed
    case job
    case device
    case subscription
    case removedDevice
    case isBroad
  }

  /// The encoded entry.
  var bytes: [UInt8] {
    var writer = ByteWriter(reservingBytes: 64 + 80 * notice.zones.count)
    for zone in notice.zones { writer.field(Field.zone.rawValue) { $0.write(zone) } }
    for directory in notice.directories {
      writer.field(Field.directory.rawValue) { writer in
        writer.field(1, signed: directory.container)
        writer.field(2, signed: directory.account)
      }
    }
    for zone in notice.deletedZones { writer.field(Field.deletedZone.rawValue) { $0.write(zone) } }
    for loss in notice.losses { writer.field(Field.loss.rawValue) { $0.write(loss) } }
    for expulsion in notice.expulsions {
      writer.field(Field.expulsion.rawValue) { $0.write(expulsion) }
    }
    for commit in notice.notified { writer.field(Field.notified.rawValue) { $0.write(commit) } }
    for device in notice.resumed { writer.field(Field.resumed.rawValue, signed: device) }
    for job in notice.jobs { writer.field(Field.job.rawValue, string: job.rawValue) }
    for device in devices { writer.field(Field.device.rawValue, signed: device) }
    for row in subscriptions { writer.field(Field.subscription.rawValue, signed: row) }
    for device in removedDevices { writer.field(Field.removedDevice.rawValue, bytes: device.bytes) }
    if isBroad { writer.field(Field.isBroad.rawValue, varint: 1) }
    return writer.bytes
  }

  /// Reads an entry. One that cannot be read may have changed anything.
  init(bytes: [UInt8]) {
    do {
      var entry = CommitLogEntry()
      var reader = ByteReader(bytes[...])
      while let field = try reader.next() { try entry.read(field) }
      self = entry
    } catch {
      self = .anything
    }
  }

  private mutating func read(_ field: ByteReader.Field) throws(RecordsError) {
    let payload = field.payload
    switch Field(rawValue: field.number) {
    case .zone: notice.add(try ZoneAdvance(payload.message()))
    case .directory:
      let parts = try payload.message()
      notice.directories.insert(
        DirectoryKey(container: try parts.number(1), account: try parts.number(2)))
    case .deletedZone: notice.deletedZones.insert(try FeedKey(payload.message()))
    case .loss: notice.losses.append(try AccessLoss(payload.message()))
    case .expulsion: if let end = try Expulsion(payload.message()) { notice.expulsions.append(end) }
    case .notified: notice.notified.append(try NotificationCommit(payload.message()))
    case .resumed: notice.resumed.append(try payload.signed())
    case .job: if let job = Job(rawValue: try payload.text()) { notice.jobs.insert(job) }
    case .device: devices.insert(try payload.signed())
    case .subscription: subscriptions.insert(try payload.signed())
    case .removedDevice: removedDevices.insert(try payload.identifier())
    case .isBroad: isBroad = try payload.unsigned() != 0
    case nil: break
    }
  }
}

// MARK: - Messages

extension ByteWriter {
  fileprivate mutating func write(_ zone: FeedKey) {
    field(1, signed: zone.container)
    field(2, bytes: zone.zone.owner.bytes)
    field(3, bytes: zone.zone.name.bytes)
  }

  fileprivate mutating func write(_ zone: ZoneAdvance) {
    write(zone.key)
    field(4, signed: zone.row)
    field(5, bytes: zone.incarnation.bytes)
    field(6, signed: zone.from.value)
    field(7, signed: zone.head.value)
  }

  fileprivate mutating func write(_ loss: AccessLoss) {
    write(FeedKey(container: loss.container, zone: loss.zone))
    field(4, signed: loss.account)
    field(5, varint: loss.isDeparture ? 1 : 0)
  }

  fileprivate mutating func write(_ expulsion: Expulsion) {
    switch expulsion {
    case .revoked(let device): field(1, signed: device)
    case .removed(let device): field(2, signed: device)
    case .formerKey(let device): field(3, signed: device)
    case .account(let account): field(4, signed: account)
    }
  }

  fileprivate mutating func write(_ commit: NotificationCommit) {
    field(1, signed: commit.number.value)
    for receiver in commit.receivers { field(2, signed: receiver) }
  }
}

/// The fields of a message, in their order.
private struct Message {
  let fields: [ByteReader.Field]

  /// Returns the last value of a field.
  func payload(_ number: Int) throws(RecordsError) -> ByteReader.Payload {
    guard let field = fields.last(where: { $0.number == number }) else {
      throw .invalid("The log of commits lacks a field.")
    }
    return field.payload
  }

  func number(_ number: Int) throws(RecordsError) -> Int64 { try payload(number).signed() }
}

extension ByteReader.Payload {
  fileprivate func message() throws(RecordsError) -> Message {
    var reader = ByteReader(try slice())
    var fields: [ByteReader.Field] = []
    while let field = try reader.next() { fields.append(field) }
    return Message(fields: fields)
  }

  fileprivate func identifier<Tag>() throws(RecordsError) -> Identifier<Tag> {
    guard let identifier = Identifier<Tag>(bytes: try slice()) else {
      throw .invalid("The log of commits has a wrong id.")
    }
    return identifier
  }
}

extension FeedKey {
  fileprivate init(_ message: Message) throws(RecordsError) {
    self.init(
      container: try message.number(1),
      zone: ZoneID(
        owner: try message.payload(2).identifier(), name: try message.payload(3).identifier()))
  }
}

extension ZoneAdvance {
  fileprivate init(_ message: Message) throws(RecordsError) {
    self.init(
      key: try FeedKey(message), row: try message.number(4),
      incarnation: try message.payload(5).identifier(), from: Revision(try message.number(6)),
      head: Revision(try message.number(7)))
  }
}

extension AccessLoss {
  fileprivate init(_ message: Message) throws(RecordsError) {
    let zone = try FeedKey(message)
    self.init(
      container: zone.container, account: try message.number(4), zone: zone.zone,
      isDeparture: try message.payload(5).unsigned() != 0)
  }
}

extension Expulsion {
  fileprivate init?(_ message: Message) throws(RecordsError) {
    guard let field = message.fields.first else { return nil }
    let row = try field.payload.signed()
    switch field.number {
    case 1: self = .revoked(row)
    case 2: self = .removed(row)
    case 3: self = .formerKey(of: row)
    case 4: self = .account(row)
    // NB: a version that adds another reason must be the oldest that may serve.
    default: return nil
    }
  }
}

extension NotificationCommit {
  fileprivate init(_ message: Message) throws(RecordsError) {
    var receivers: [StoreKey] = []
    for field in message.fields where field.number == 2 {
      receivers.append(try field.payload.signed())
    }
    self.init(number: NotificationNumber(try message.number(1)), receivers: receivers)
  }
}

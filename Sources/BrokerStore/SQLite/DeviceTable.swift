// Devices, their numbers, and the outcomes kept until they are acknowledged. A request writes its
// outcome and nothing else here: the outcome's own number tells which was the last, and what was
// acknowledged is written down, and the outcomes behind it forgotten, once for several requests.
// So after a crash a few outcomes may be kept that were acknowledged; never the other way round.

import BrokerCore
import FoundationEssentials
import GRDB
import Records
import RecordsWire
import SQLiteFile

/// The `device` and `outcome` tables.
struct DeviceTable {
  let db: Database
  let memory: WriterMemory

  // MARK: Numbers

  /// The numbers of a device, with the outcome kept for `number` if there is one.
  func numbers(
    of identity: SessionIdentity, for number: RequestNumber
  ) throws -> StoredNumbers {
    let device = identity.deviceKey
    let numbers = try memory.numbers(of: device) { try readNumbers(of: device) }
    return StoredNumbers(
      last: numbers.last, acknowledged: numbers.acknowledged,
      outcome: number <= numbers.last ? try outcome(of: device, number: number) : nil,
      isRevoked: numbers.isRevoked || memory.keyGeneration(of: device) > identity.keyGeneration)
  }

  private func readNumbers(of device: StoreKey) throws -> WriterMemory.Numbers {
    let sql = """
      SELECT max(last_number, coalesce((SELECT max(number) FROM outcome WHERE device = ?1), 0)),
        acknowledged_number, device.is_revoked OR account.is_disabled
      FROM device JOIN account ON account.key = device.account WHERE device.key = ?1
      """
    let numbers = try db.first(sql, [device]) { row in
      WriterMemory.Numbers(
        last: RequestNumber(row[0]), acknowledged: RequestNumber(row[1]),
        forgotten: RequestNumber(row[1]), isRevoked: row[2])
    }
    guard let numbers else {
      throw StoreError(.damaged, "A session speaks for device \(device), which has no row.")
    }
    return numbers
  }

  private func outcome(of device: StoreKey, number: RequestNumber) throws -> StoredOutcome? {
    let row = try Row.fetchOne(
      db.cachedStatement(
        sql: "SELECT fingerprint, bytes FROM outcome WHERE device = ? AND number = ?"),
      arguments: [device, number.value])
    guard let row else { return nil }
    let (fingerprint, bytes): (Data, Data) = (row[0], row[1])
    return StoredOutcome(
      fingerprint: Identifier<StoredOutcome>(bytes: fingerprint)?.value ?? 0,
      outcome: try ModifyOutcome(encoded: [UInt8](bytes)))
  }

  /// Keeps a request's outcome under its number, and from time to time forgets those that were
  /// acknowledged.
  func record(_ writes: ModifyWrites, device: StoreKey) throws {
    let number = writes.outcome.number
    try memory.statements(in: db).outcome.run {
      $0.bind(1, device)
      $0.bind(2, number.value)
      $0.bind(3, Identifier<StoredOutcome>(writes.fingerprint).bytes)
      $0.bind(4, writes.outcome.encoded)
    }
    var numbers = try memory.numbers(of: device) { try readNumbers(of: device) }
    numbers.last = number
    numbers.acknowledged = max(numbers.acknowledged, min(writes.acknowledged, number))
    if numbers.acknowledged.value - numbers.forgotten.value >= Self.forgottenTogether {
      try forget(&numbers, of: device)
    }
    memory.set(numbers, of: device)
  }

  /// So many outcomes are forgotten by one statement.
  private static let forgottenTogether: Int64 = 16

  /// Forgets outcomes up to `number`; a number of the future forgets nothing that is yet to come.
  func acknowledge(_ number: RequestNumber, device: StoreKey) throws {
    var numbers = try memory.numbers(of: device) { try readNumbers(of: device) }
    numbers.acknowledged = max(numbers.acknowledged, min(number, numbers.last))
    guard numbers.acknowledged != numbers.forgotten else { return }
    try forget(&numbers, of: device)
    memory.set(numbers, of: device)
  }

  // The row is written with the same breath: the outcomes that told the last number may be gone.
  private func forget(_ numbers: inout WriterMemory.Numbers, of device: StoreKey) throws {
    let statements = try memory.statements(in: db)
    try statements.numbers.run {
      $0.bind(1, numbers.last.value)
      $0.bind(2, numbers.acknowledged.value)
      $0.bind(3, device)
    }
    try statements.forgetting.run {
      $0.bind(1, device)
      $0.bind(2, numbers.acknowledged.value)
    }
    numbers.forgotten = numbers.acknowledged
  }

  // MARK: Rows

  /// The device with this id.
  func device(_ id: DeviceID) throws -> StoredDevice? {
    let row = try Row.fetchOne(
      db.cachedStatement(
        sql: """
          SELECT device.key, device.key_digest, device.is_revoked, \(AccountTable.columns)
          FROM device JOIN account ON account.key = device.account WHERE device.id = ?
          """), arguments: [Data(id.bytes)])
    guard let row else { return nil }
    let digest: Data = row[1]
    return StoredDevice(
      key: row[0], account: try AccountTable.account(row, from: 3), keyDigest: [UInt8](digest),
      isRevoked: row[2])
  }

  /// Enters a device.
  func insert(
    _ id: DeviceID, account: StoredAccount, _ request: SignInRequest, at now: Timestamp
  ) throws -> StoredDevice {
    try db.run(
      """
      INSERT INTO device (id, account, name, key_digest, created_at, seen_at)
      VALUES (?, ?, ?, ?, ?, ?)
      """,
      [
        Data(id.bytes), account.key, request.hello.deviceName, Data(request.deviceKeyDigest),
        now.microseconds, now.microseconds,
      ])
    return StoredDevice(
      key: db.lastInsertedRowID, account: account, keyDigest: request.deviceKeyDigest,
      isRevoked: false)
  }

  /// Notes that a device was here under this name. Returns its id and its last number.
  func seen(
    _ device: StoredDevice, name: String, at now: Timestamp
  ) throws -> (DeviceID, RequestNumber) {
    try db.run(
      "UPDATE device SET seen_at = ?, name = ? WHERE key = ?", [now.microseconds, name, device.key])
    return try identity(of: device)
  }

  /// A device's id and the last of its numbers with an outcome.
  func identity(of device: StoredDevice) throws -> (DeviceID, RequestNumber) {
    let row = try Row.fetchOne(
      db.cachedStatement(sql: "SELECT id FROM device WHERE key = ?"), arguments: [device.key])
    guard let row, let id = DeviceID(bytes: row[0] as Data) else {
      throw StoreError(.damaged, "Device \(device.key) has no row.")
    }
    return (id, try memory.numbers(of: device.key) { try readNumbers(of: device.key) }.last)
  }
}

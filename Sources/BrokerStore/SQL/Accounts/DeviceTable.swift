// Devices, their request numbers, and the outcomes that they have not acknowledged. A request inserts its
// outcome and writes nothing else here: the highest outcome is the last number. Acknowledged outcomes are
// deleted in batches, together with the update of the device's row. So after a crash a few acknowledged
// outcomes may be left, but none that the device still needs is missing.

import BrokerCore
import FoundationEssentials
import Records
import RecordsWire
import SQLConnections

/// The `device` and `outcome` tables.
struct DeviceTable {
  let db: any SQLConnection
  let memory: WriterMemory

  // MARK: Numbers

  /// The request numbers of a device, with the stored outcome of `number`, if any.
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
        acknowledged_number, device.is_revoked = 1 OR account.is_disabled = 1
      FROM device JOIN account ON account.key = device.account WHERE device.key = ?1
      """
    let numbers = try db.first(sql, [device]) { row in
      WriterMemory.Numbers(
        last: RequestNumber(row[0]), acknowledged: RequestNumber(row[1]),
        outcomesDeletedThrough: RequestNumber(row[1]), isRevoked: row[2])
    }
    guard let numbers else {
      throw StoreError(.damaged, "The database has no row for the signed-in device \(device).")
    }
    return numbers
  }

  private func outcome(of device: StoreKey, number: RequestNumber) throws -> StoredOutcome? {
    let row = try db.first(
      "SELECT fingerprint, bytes FROM outcome WHERE device = ? AND number = ?",
      [device, number.value]
    ) { $0 }
    guard let row else { return nil }
    let (fingerprint, bytes): ([UInt8], [UInt8]) = (row[0], row[1])
    return StoredOutcome(
      fingerprint: Identifier<StoredOutcome>(bytes: fingerprint)?.value ?? 0,
      outcome: try ModifyOutcome(encoded: bytes))
  }

  /// Stores a request's outcome under its number. Every `outcomesPerDeletion` acknowledged requests, it
  /// also deletes their outcomes.
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
    let deletable = numbers.acknowledged.value - numbers.outcomesDeletedThrough.value
    if deletable >= Self.outcomesPerDeletion { try deleteAcknowledged(&numbers, of: device) }
    memory.set(numbers, of: device)
  }

  /// The acknowledged outcomes that one statement deletes.
  private static let outcomesPerDeletion: Int64 = 16

  /// Deletes the outcomes up to `number`. A `number` above the last request counts as the last request.
  func acknowledge(_ number: RequestNumber, device: StoreKey) throws {
    var numbers = try memory.numbers(of: device) { try readNumbers(of: device) }
    numbers.acknowledged = max(numbers.acknowledged, min(number, numbers.last))
    guard numbers.acknowledged != numbers.outcomesDeletedThrough else { return }
    try deleteAcknowledged(&numbers, of: device)
    memory.set(numbers, of: device)
  }

  /// Deletes the acknowledged outcomes. It also stores the last number in the device's row, because the
  /// outcome that had it may be deleted.
  private func deleteAcknowledged(
    _ numbers: inout WriterMemory.Numbers, of device: StoreKey
  ) throws {
    let statements = try memory.statements(in: db)
    try statements.numbers.run {
      $0.bind(1, numbers.last.value)
      $0.bind(2, numbers.acknowledged.value)
      $0.bind(3, device)
    }
    try statements.outcomeDeletion.run {
      $0.bind(1, device)
      $0.bind(2, numbers.acknowledged.value)
    }
    numbers.outcomesDeletedThrough = numbers.acknowledged
  }

  // MARK: Rows

  /// The device with this id, or `nil`.
  func device(_ id: DeviceID) throws -> StoredDevice? {
    try device(where: "device.id = ?", id.bytes)
  }

  /// The device whose key has this digest, or `nil`.
  func device(keyDigest: [UInt8]) throws -> StoredDevice? {
    try device(where: "device.key_digest = ?", keyDigest)
  }

  private func device(where condition: String, _ value: [UInt8]) throws -> StoredDevice? {
    let row = try db.first(
      """
      SELECT device.key, device.key_digest, device.is_revoked, \(AccountTable.columns)
      FROM device JOIN account ON account.key = device.account WHERE \(condition)
      """, [value]
    ) { $0 }
    guard let row else { return nil }
    let digest: [UInt8] = row[1]
    return StoredDevice(
      key: row[0], account: try AccountTable.account(row, from: 3), keyDigest: digest,
      isRevoked: row[2])
  }

  /// Inserts a device of `account`, with the name and key of its sign-in request.
  func insert(
    _ id: DeviceID, account: StoredAccount, _ request: SignInRequest, at now: Timestamp
  ) throws -> StoredDevice {
    let key = try db.insert(
      """
      INSERT INTO device (id, account, name, key_digest, created_at, seen_at)
      VALUES (?, ?, ?, ?, ?, ?)
      """,
      [
        id.bytes, account.key, request.hello.deviceName, request.deviceKeyDigest,
        now.microseconds, now.microseconds,
      ])
    return StoredDevice(
      key: key, account: account, keyDigest: request.deviceKeyDigest,
      isRevoked: false)
  }

  /// The name of a device that greets with `name`: the one that another device gave it, as long as it greets
  /// with the name that it had then, or with one that it was given before.
  func name(of device: StoredDevice, greetingAs name: String) throws -> String {
    try db.first(
      "SELECT name FROM device WHERE key = ?1 AND ?2 IN (renamed_from, given_before)",
      [device.key, name]
    ) { $0[0] } ?? name
  }

  /// Updates a device's name and the time it was last seen. Returns its id and its last request number.
  func updateSeen(
    _ device: StoredDevice, name: String, greetingAs greeted: String, at now: Timestamp
  ) throws -> (DeviceID, RequestNumber) {
    try db.run(
      "UPDATE device SET seen_at = ?, name = ? WHERE key = ?", [now.microseconds, name, device.key])
    if greeted == name {
      try db.run(
        """
        UPDATE device SET renamed_from = NULL, given_before = NULL
        WHERE key = ? AND renamed_from IS NOT NULL
        """, [device.key])
    }
    return try identity(of: device)
  }

  /// Gives a device another name than the one it greets with.
  func rename(_ device: StoredDevice, to name: String) throws {
    try db.run(
      """
      UPDATE device SET name = ?1, renamed_from = coalesce(renamed_from, name),
        given_before = CASE WHEN renamed_from IS NOT NULL THEN name END WHERE key = ?2
      """, [name, device.key])
  }

  /// The ids of the removed devices.
  func removed() throws -> Set<DeviceID> {
    let removed: [[UInt8]] = try db.column("SELECT id FROM device WHERE is_revoked = 1")
    var ids: Set<DeviceID> = []
    for bytes in removed {
      guard let id = DeviceID(bytes: bytes) else {
        throw StoreError(.damaged, "A device's id is not 16 bytes long.")
      }
      ids.insert(id)
    }
    return ids
  }

  /// A device's id and its last request number.
  func identity(of device: StoredDevice) throws -> (DeviceID, RequestNumber) {
    let row = try db.first("SELECT id FROM device WHERE key = ?", [device.key]) { $0 }
    guard let row, let id = DeviceID(bytes: row[0] as [UInt8]) else {
      throw StoreError(.damaged, "The database has no row for device \(device.key).")
    }
    return (id, try memory.numbers(of: device.key) { try readNumbers(of: device.key) }.last)
  }
}

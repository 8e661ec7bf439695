// Performs the operations of a round over HTTP, and informs the oracle of attempts and acknowledgements. An
// operation without a target is skipped.

import Foundation
import Processes
import Records

/// Performs the operations of a round.
struct OperationRunner {
  let world: ConvergenceWorld
  let classes: Set<OperationClass>
  private(set) var oracle = Oracle()
  /// The operations and their results, a line each.
  private(set) var log: [String] = []
  /// The ids of contacts seen so far, by last name.
  private(set) var ids: [String: Set<String>] = [:]

  private static let fields = ["firstName", "company", "note"]

  init(_ world: ConvergenceWorld, classes: Set<OperationClass>) {
    self.world = world
    self.classes = classes
  }

  /// Informs the oracle of what exists before the first operation.
  mutating func begin() async throws {
    let view = try await DeviceView(of: world.devices[0].requests)
    for group in view.groups {
      oracle.note(group: group["id", default: ""], title: group["title", default: ""])
    }
    if classes.contains(.restores) { log.append("backup \(try await world.backUp())") }
    for row in view.contacts where view.contacts(named: row["lastName", default: ""]).count == 1 {
      note(row)
      oracle.acknowledge(adding: row["lastName", default: ""])
    }
  }

  /// Adds a line to the log.
  mutating func note(_ line: String) { log.append(line) }

  /// Performs one operation.
  mutating func perform(_ operation: Operation) async throws {
    do {
      log.append("\(operation): \(try await done(operation))")
    } catch let error as RecordsError where error.code == .networkUnavailable {
      log.append("\(operation): no answer")
    }
  }

  private mutating func done(_ operation: Operation) async throws -> String {
    switch operation.kind {
    case .add: try await add(operation)
    case .edit: try await edit(operation)
    case .addPhone: try await addPhone(operation)
    case .delete: try await delete(operation)
    case .clash: try await clash(operation)
    case .resolve: try await resolve(operation)
    case .undo: try await undo(operation)
    case .addGroup: try await addGroup(operation)
    case .renameGroup: try await renameGroup(operation)
    case .removeGroup: try await removeGroup(operation)
    case .move: try await move(operation)
    case .killAgent: try await killAgent(operation)
    case .killBroker: try await killBroker(operation)
    case .disconnect, .connect, .stopBroker, .startBroker: try await absence(operation)
    case .backUp: "backup \(try await world.backUp())"
    case .restoreAndContinue, .rewind: try await restore(operation)
    }
  }

  // MARK: Targets

  /// Returns the device of an operation. The guest performs only what a guest may do.
  private func requests(_ operation: Operation) -> AgentRequests {
    isGuest(operation) ? (world.guest ?? world.devices[0]).requests : own(operation).requests
  }

  private func isGuest(_ operation: Operation) -> Bool {
    world.guest != nil && operation.device >= world.devices.count
  }

  private func own(_ operation: Operation) -> Device {
    world.devices[operation.device % world.devices.count]
  }

  private func isShared(_ group: String) -> Bool {
    world.sharedGroup.map { group.hasSuffix($0) } ?? false
  }

  /// Returns the contact of an operation, as its device shows it.
  private mutating func target(_ operation: Operation) async throws -> DeviceView.Row? {
    let view = try await DeviceView(of: requests(operation))
    var names = oracle.names
    if isGuest(operation) {
      names = names.filter { oracle.persons[$0]?.groups.contains(world.sharedGroup ?? "") == true }
    }
    guard !names.isEmpty else { return nil }
    let person = names[operation.choice % names.count]
    let row = view.contacts(named: person).first
    if isGuest(operation), let group = row?["group"], !isShared(group) { return nil }
    if let row { note(row) }
    return row
  }

  private mutating func note(_ row: DeviceView.Row) {
    let person = row["lastName", default: ""]
    guard !person.isEmpty else { return }
    oracle.note(person, group: groupID(row["group", default: ""]))
    ids[person, default: []].insert(row["id", default: ""])
  }

  /// Returns a group's id on its owner's devices.
  private func groupID(_ id: String) -> String {
    isShared(id) ? world.sharedGroup ?? id : id
  }

  /// Returns the groups that an operation may add to or change.
  private func groups(_ operation: Operation, isChanging: Bool) async throws -> [DeviceView.Row] {
    let view = try await DeviceView(of: requests(operation))
    return view.groups.filter { group in
      let id = group["id", default: ""]
      if isGuest(operation) { return isShared(id) }
      return !isChanging || !isShared(id) && group["title"]?.hasPrefix("G") == true
    }
  }

  private func send(
    _ method: String, _ path: String, _ body: String = "", on device: AgentRequests
  ) async throws -> AgentRequests.Answer {
    try await device.send(method, path, body)
  }

  // MARK: Contacts

  private mutating func add(_ operation: Operation) async throws -> String {
    let groups = try await groups(operation, isChanging: false)
    guard !groups.isEmpty else { return "no group" }
    let group = groups[operation.choice % groups.count]["id", default: ""]
    let person = "P\(operation.number)"
    let word = Oracle.word(operation.number)
    oracle.note(person, group: groupID(group))
    let answer = try await send(
      "POST", "contacts",
      #"{"firstName":"\#(word)","lastName":"\#(person)","group":"\#(group)"}"#,
      on: requests(operation))
    guard answer.status == 201 else { return "\(answer.status)" }
    oracle.acknowledge(adding: person)
    acknowledge(word, of: person, "firstName", operation)
    if let id = try answer.decoded(as: ContactRow.self).id as String? {
      ids[person, default: []].insert(id)
    }
    return "\(person) = \(word) in \(group)"
  }

  private mutating func acknowledge(
    _ word: String, of person: String, _ field: String, _ operation: Operation, device: Int? = nil
  ) {
    oracle.acknowledge(
      Oracle.Typed(
        word: word, person: person, field: field, device: device ?? deviceNumber(operation),
        operation: operation.number))
  }

  private func deviceNumber(_ operation: Operation) -> Int {
    isGuest(operation) ? operation.device : operation.device % world.devices.count
  }

  private mutating func edit(_ operation: Operation) async throws -> String {
    guard let row = try await target(operation) else { return "not there" }
    return try await edit(
      row, operation, Oracle.word(operation.number), on: requests(operation),
      device: deviceNumber(operation))
  }

  private mutating func edit(
    _ row: DeviceView.Row, _ operation: Operation, _ word: String, on device: AgentRequests,
    device number: Int
  ) async throws -> String {
    let person = row["lastName", default: ""]
    let field = Self.fields[operation.other % Self.fields.count]
    oracle.attempt(person, field: field, device: number, operation: operation.number)
    let answer = try await send(
      "PATCH", "contacts/\(row["id", default: ""])", #"{"\#(field)":"\#(word)"}"#, on: device)
    if answer.status == 200 { acknowledge(word, of: person, field, operation, device: number) }
    return "\(person).\(field) = \(word): \(answer.status)"
  }

  private mutating func addPhone(_ operation: Operation) async throws -> String {
    guard let row = try await target(operation) else { return "not there" }
    let person = row["lastName", default: ""]
    let word = Oracle.word(operation.number)
    let answer = try await send(
      "PATCH", "contacts/\(row["id", default: ""])",
      #"{"phones":[{"label":"\#(word)","value":"555 \#(1000 + operation.number)"}]}"#,
      on: requests(operation))
    if answer.status == 200 { acknowledge(word, of: person, "phones/\(word)", operation) }
    return "\(person).phones + \(word): \(answer.status)"
  }

  private mutating func delete(_ operation: Operation) async throws -> String {
    guard let row = try await target(operation) else { return "not there" }
    let person = row["lastName", default: ""]
    oracle.mayDelete(person, device: deviceNumber(operation), operation: operation.number)
    let answer = try await send(
      "DELETE", "contacts/\(row["id", default: ""])?acknowledged=true", on: requests(operation))
    return "\(person): \(answer.status)"
  }

  /// Edits the same field on two devices, one of which is disconnected.
  private mutating func clash(_ operation: Operation) async throws -> String {
    let first = operation.device % world.devices.count
    let second = (first + 1 + operation.choice % 2) % world.devices.count
    guard let row = try await target(operation), !isGuest(operation) else { return "not there" }
    let wasShut = await world.relays[first].isShut
    await world.disconnect(first)
    var results: [String] = []
    for (part, number) in [first, second].enumerated() {
      let device = world.devices[number].requests
      let view = try await DeviceView(of: device)
      guard let own = view.contacts(named: row["lastName", default: ""]).first else { continue }
      results.append(
        try await edit(
          own, operation, Oracle.word(operation.number, part), on: device, device: number))
    }
    if !wasShut { await world.connect(first) }
    return results.joined(separator: "; ")
  }

  // MARK: Conflicts and undo

  private mutating func resolve(_ operation: Operation) async throws -> String {
    let device = requests(operation)
    let view = try await DeviceView(of: device)
    guard !view.conflicts.isEmpty else { return "no conflict" }
    let conflict = view.conflicts[operation.choice % view.conflicts.count]
    return try await resolve(
      conflict, keep: ["mine", "theirs", "both"][operation.other % 3], in: view, on: device,
      operation)
  }

  /// Resolves a conflict and returns the device's answer.
  mutating func resolve(
    _ conflict: DeviceView.Row, keep: String, in view: DeviceView, on device: AgentRequests,
    _ operation: Operation
  ) async throws -> String {
    let subject = view.contacts.first { $0["id"] == conflict["contact"] }
    let person = subject?["lastName"]
    oracle.resolve(
      mine: conflict["mine", default: ""], theirs: conflict["theirs", default: ""],
      person: person, mayDelete: conflict["kind"] != "values")
    if let person, conflict["kind"] != "values" {
      oracle.mayDelete(person, device: deviceNumber(operation), operation: operation.number)
    }
    if let person, keep != conflict["shown", default: "theirs"] {
      // Choosing the losing value overwrites whatever the field has by now.
      oracle.attempt(
        person, field: conflict["field"], device: deviceNumber(operation),
        operation: operation.number)
    }
    let answer = try await send(
      "POST", "conflicts/\(conflict["id", default: ""])", #"{"keep":"\#(keep)"}"#, on: device)
    return "\(keep) of \(person ?? "?").\(conflict["field", default: ""]): \(answer.status)"
  }

  private mutating func undo(_ operation: Operation) async throws -> String {
    let device = own(operation).requests
    // The device that undoes, even if it is the guest's turn.
    let number = operation.device % world.devices.count
    let before = try await DeviceView(of: device)
    let answer = try await send("POST", "undo", "{}", on: device)
    let after = try await DeviceView(of: device)
    for row in before.contacts {
      let person = row["lastName", default: ""]
      let now = after.contacts(named: person)
      if now.isEmpty {
        oracle.mayDelete(person, device: number, operation: operation.number)
      } else if now != before.contacts(named: person) {
        oracle.attempt(
          person, field: nil, device: number, operation: operation.number)
      }
    }
    for row in after.contacts { note(row) }
    for group in after.groups {
      oracle.note(group: group["id", default: ""], title: group["title", default: ""])
    }
    for group in before.groups where !after.groups.contains(where: { $0["id"] == group["id"] }) {
      oracle.mayDelete(group: group["id", default: ""])
    }
    let undone = try? JSONSerialization.jsonObject(with: answer.body) as? [String: Any]
    return "\(answer.status) \((undone?["undone"] as? [String: Any])?["kind"] ?? "nothing")"
  }

  // MARK: Groups

  private mutating func addGroup(_ operation: Operation) async throws -> String {
    let title = "G\(operation.number)"
    let answer = try await send(
      "POST", "groups", #"{"title":"\#(title)"}"#, on: own(operation).requests)
    guard answer.status == 201 else { return "\(answer.status)" }
    let object = try JSONSerialization.jsonObject(with: answer.body) as? [String: Any]
    let id = object?["id"] as? String ?? ""
    oracle.note(group: id, title: title)
    return "\(title) is \(id)"
  }

  private mutating func renameGroup(_ operation: Operation) async throws -> String {
    let groups = try await groups(operation, isChanging: true)
    guard !groups.isEmpty, !isGuest(operation) else { return "no group" }
    let id = groups[operation.choice % groups.count]["id", default: ""]
    let answer = try await send(
      "PATCH", "groups/\(id)", #"{"title":"G renamed \#(operation.number)"}"#,
      on: own(operation).requests)
    return "\(id): \(answer.status)"
  }

  private mutating func removeGroup(_ operation: Operation) async throws -> String {
    let groups = try await groups(operation, isChanging: true)
    guard !groups.isEmpty, !isGuest(operation) else { return "no group" }
    let id = groups[operation.choice % groups.count]["id", default: ""]
    let isKeeping = classes.contains(.moves) && operation.other % 2 == 0
    oracle.mayDelete(group: id)
    if isKeeping { oracle.leave(group: id) }
    let answer = try await send(
      "DELETE", "groups/\(id)?acknowledged=true&contacts=\(isKeeping ? "keep" : "delete")",
      on: own(operation).requests)
    return "\(id) \(isKeeping ? "without" : "with") contacts: \(answer.status)"
  }

  private mutating func move(_ operation: Operation) async throws -> String {
    let groups = try await groups(operation, isChanging: false)
    guard !isGuest(operation), let row = try await target(operation) else { return "not there" }
    let others = groups.filter { $0["id"] != row["group"] }
    guard !others.isEmpty else { return "no other group" }
    let group = others[operation.other % others.count]["id", default: ""]
    let person = row["lastName", default: ""]
    oracle.note(person, group: groupID(group))
    let answer = try await send(
      "PATCH", "contacts/\(row["id", default: ""])", #"{"group":"\#(group)"}"#,
      on: own(operation).requests)
    return "\(person) from \(row["group", default: ""]) to \(group): \(answer.status)"
  }

  // MARK: Faults

  private mutating func killAgent(_ operation: Operation) async throws -> String {
    let number = operation.device % world.devices.count
    guard let row = try await target(operation), !isGuest(operation) else { return "not there" }
    let result = try await edit(
      row, operation,
      during: { [world] in
        try await Task.sleep(for: .milliseconds(operation.other % 12))
        try await world.restart(number)
      })
    return "while \(result)"
  }

  private mutating func killBroker(_ operation: Operation) async throws -> String {
    guard let row = try await target(operation), !isGuest(operation) else { return "not there" }
    let result = try await edit(
      row, operation,
      during: { [world] in
        try await Task.sleep(for: .milliseconds(operation.other % 12))
        try await world.stopBroker()
        try await world.startBroker()
      })
    return "while \(result)"
  }

  /// Edits during a fault. Without an answer the outcome is unknown.
  private mutating func edit(
    _ row: DeviceView.Row, _ operation: Operation, during fault: () async throws -> Void
  ) async throws -> String {
    let person = row["lastName", default: ""]
    let field = Self.fields[operation.other % Self.fields.count]
    let word = Oracle.word(operation.number)
    let number = deviceNumber(operation)
    oracle.attempt(person, field: field, device: number, operation: operation.number)
    let device = requests(operation)
    let path = "contacts/\(row["id", default: ""])"
    let body = #"{"\#(field)":"\#(word)"}"#
    let request = Task { try? await device.send("PATCH", path, body).status }
    try await fault()
    let status = await request.value
    if status == 200 { acknowledge(word, of: person, field, operation) }
    return "\(person).\(field) = \(word): \(status.map(String.init) ?? "no answer")"
  }

  private mutating func absence(_ operation: Operation) async throws -> String {
    let number = operation.device % world.devices.count
    switch operation.kind {
    case .disconnect: await world.disconnect(number)
    case .connect: await world.connect(number)
    case .stopBroker: try await world.stopBroker()
    default: try await world.startBroker()
    }
    return "done"
  }

  private mutating func restore(_ operation: Operation) async throws -> String {
    let isRewinding = operation.kind == .rewind
    oracle.restore(operation: operation.number)
    if isRewinding { oracle.rewind() }
    return "from backup \(try await world.restore(operation.choice, isRewinding: isRewinding))"
  }
}

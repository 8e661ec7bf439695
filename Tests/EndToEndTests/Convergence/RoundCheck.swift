// What must be true once all devices of a round agree.

import Foundation
import GRDB
import Processes
import Records

/// The checks of a round.
struct RoundCheck {
  let oracle: Oracle
  /// The ids of contacts, by last name.
  let ids: [String: Set<String>]
  let world: ConvergenceWorld

  /// Checks that no id occurs twice, that every lasting contact is shown, that none is shown twice unless it may be, and
  /// that every lasting group is shown.
  func lists(_ views: [DeviceView]) -> [String] {
    var sentences = doubled(views)
    for (device, view) in zip(world.devices, views) {
      sentences += view.doubledIDs.map { "id \($0) stands twice in the list of \(device.name)" }
      for person in oracle.lasting where view.contacts(named: person).isEmpty {
        sentences.append("\(person) was acknowledged and is missing on \(device.name)")
      }
      for (id, group) in oracle.groups
      where !group.mayBeGone && !view.groups.contains(where: { $0["id"] == id }) {
        sentences.append("group \(group.title) (\(id)) is missing on \(device.name)")
      }
    }
    return sentences.sorted()
  }

  /// Says which contacts are shown twice, unless they may be.
  func doubled(_ views: [DeviceView]) -> [String] {
    zip(world.devices, views).flatMap { device, view in
      oracle.names.compactMap { person in
        let groups = view.contacts(named: person).map { $0["group", default: "?"] }
        guard groups.count > 1, oracle.persons[person]?.mayBeTwice != true else { return nil }
        return "\(person) is there \(groups.count) times on \(device.name): in \(groups)"
      }
    }
  }

  /// Returns the values among these that no device shows, has in a conflict, in a history or in its rejected edits.
  func missing(_ claims: [Oracle.Typed], in views: [DeviceView]) async throws -> [Oracle.Typed] {
    var evidence = views.flatMap { $0.contacts + $0.conflicts }.flatMap(\.values)
    for device in world.devices + [world.guest].compactMap(\.self) {
      let refused = try await device.requests.send("GET", "refused")
      evidence.append(String(decoding: refused.body, as: UTF8.self))
    }
    let known = evidence.joined(separator: "\n")
    var missing: [Oracle.Typed] = []
    for value in claims where !known.contains(value.word) {
      guard try await !isInHistory(value, views), try !isInHiddenConflict(value) else { continue }
      missing.append(value)
    }
    return missing
  }

  /// Whether the value is in a conflict whose contact was deleted. Such a conflict is not listed until the
  /// contact is restored, so the check reads the device's database.
  private func isInHiddenConflict(_ value: Oracle.Typed) throws -> Bool {
    try world.devices.contains { device in
      var configuration = Configuration()
      configuration.readonly = true
      let queue = try DatabaseQueue(
        path: device.directory.file("state/contacts.sqlite"), configuration: configuration)
      defer { try? queue.close() }
      let count = try queue.read { db in
        try Int.fetchOne(
          db,
          sql: """
            SELECT count(*) FROM record WHERE type = 'Conflict' AND instr(shown, CAST(? AS BLOB)) > 0
            """, arguments: [value.word])
      }
      return count ?? 0 > 0
    }
  }

  private func isInHistory(_ value: Oracle.Typed, _ views: [DeviceView]) async throws -> Bool {
    let shown = views.flatMap { $0.contacts(named: value.person) }.compactMap { $0["id"] }
    for id in ids[value.person, default: []].union(shown) {
      for device in world.devices + [world.guest].compactMap(\.self) {
        let answer = try await device.requests.send("GET", "contacts/\(id)/history")
        if String(decoding: answer.body, as: UTF8.self).contains(value.word) { return true }
      }
    }
    return false
  }

  /// Checks that every conflict belongs to an existing contact, unless an operation may have deleted it.
  func subjects(of view: DeviceView) -> [String] {
    view.conflicts.compactMap { conflict in
      let id = conflict["contact", default: ""]
      guard !view.contacts.contains(where: { $0["id"] == id }) else { return nil }
      let person = ids.first { $0.value.contains(id) }?.key
      guard let person, let known = oracle.persons[person],
        known.mayBeGone || known.mayBeLostWithGroup
      else { return "conflict \(conflict) is about a contact that is missing" }
      return nil
    }
  }
}

// The life of a group shared by two people with three devices, with a fault after every step: a process is
// killed, all are, or the broker is away during the step. After each step every device must show what it may
// see, and nothing else.

import Foundation
import Processes
import Records
import Testing

extension EndToEnd {
  @Suite("Z1, Z2, Z3, Z4, Z5, Z6 a group's life with a fault after every step")
  struct SharingFlowTests {
    @Test(arguments: SharingFlow.Fault.allCases)
    func `a group is created, shared, edited, made read-only, left, requested, removed and stopped`(
      fault: SharingFlow.Fault
    ) async throws {
      var flow = try await SharingFlow(fault)
      let (laptop, phone, tablet) = (flow.world.laptop, flow.world.phone, flow.world.tablet)
      try await flow.step(laptop, "group", "add", "Rowing")
      try await flow.add("Cora", on: laptop)
      try await flow.edit("One", on: laptop)
      try await flow.step(laptop, "share", "Rowing", "--anyone", "write")
      let link = try await laptop.does("share", "Rowing")
      try await flow.step(tablet, "accept", link, "--preview")
      flow.right = "write"
      try await flow.step(tablet, "accept", link, "--yes")
      for (company, device) in [("Two", tablet), ("Three", laptop), ("Four", phone)] {
        try await flow.edit(company, on: device)
      }
      try await flow.add("Max", on: tablet)
      flow.right = "read"
      try await flow.step(laptop, "participants", "Rowing", "set", "bob", "--read")
      try await flow.isReadOnly()
      flow.right = "write"
      try await flow.step(laptop, "participants", "Rowing", "set", "bob", "--write")
      try await flow.edit("Five", on: tablet)
      flow.right = nil
      try await flow.step(tablet, "leave", "Rowing", "--yes")
      try await flow.step(laptop, "share", "revoke", "Rowing")
      try await tablet.fails(65, "was revoked", "accept", link, "--yes")
      try await flow.step(tablet, "accept", link, "--request")
      try await phone.prints("bob\twaiting", "requests", "Rowing")
      flow.right = "read"
      try await flow.step(phone, "requests", "Rowing", "approve", "bob", "--read")
      flow.right = nil
      try await flow.step(tablet, "leave", "Rowing", "--yes")
      try await flow.step(laptop, "share", "renew", "Rowing")
      let renewed = try await laptop.does("share", "Rowing")
      flow.right = "write"
      try await flow.step(tablet, "accept", renewed, "--yes")
      flow.right = nil
      try await flow.step(laptop, "participants", "Rowing", "remove", "bob")
      try await tablet.fails(77, "removed", "accept", renewed, "--yes")
      try await flow.step(tablet, "accept", renewed, "--request")
      flow.right = "write"
      try await flow.step(laptop, "requests", "Rowing", "approve", "bob", "--write")
      try await flow.edit("Six", on: tablet)
      flow.right = nil
      try await flow.step(laptop, "share", "stop", "Rowing", "--yes")
      try await tablet.fails(65, "was revoked", "accept", renewed, "--yes")
      for device in flow.world.devices {
        #expect(try await device.does("refused", "list").isEmpty)
      }
    }
  }
}

/// The people, the steps, and what the devices must show.
struct SharingFlow {
  /// The fault after every step.
  enum Fault: CaseIterable {
    case brokerDies, ownerDies, ownersOtherDies, memberDies, allDie, brokerIsAway
  }

  let world: SharingWorld
  private let fault: Fault
  /// Bob's permission; `nil` if he is no participant.
  var right: String?
  /// The contacts in the group.
  private var names: [String] = []
  private var company = ""
  /// The first name of the contact that is edited.
  private var edited = ""

  init(_ fault: Fault) async throws {
    world = try await SharingWorld()
    self.fault = fault
  }

  /// Performs a step and its fault, and checks all devices.
  mutating func step(_ device: Device, _ arguments: String...) async throws {
    _ = try await done(arguments, on: device)
    try await check()
  }

  /// Adds a contact to the group.
  mutating func add(_ name: String, on device: Device) async throws {
    _ = try await done(
      ["add", "--first", name, "--last", "Quuxworth", "--group", "Rowing"], on: device)
    if edited.isEmpty { edited = name }
    names.append("\(name) Quuxworth")
    try await check()
  }

  /// Changes the company of the edited contact.
  mutating func edit(_ company: String, on device: Device) async throws {
    _ = try await done(["edit", device.id(of: edited), "--company", company], on: device)
    self.company = company
    try await check()
  }

  /// Checks that Bob's device refuses his changes.
  func isReadOnly() async throws {
    let tablet = world.tablet
    let cora = try await tablet.id(of: edited)
    try await tablet.fails(77, "no permission to change", "edit", cora, "--company", "Never")
    try await tablet.fails(77, "no permission to change", "rm", cora)
    try await tablet.fails(
      77, "no permission to change", "add", "--first", "No", "--group", "Rowing")
  }

  // MARK: Steps

  private func done(_ arguments: [String], on device: Device) async throws -> String {
    if fault == .brokerIsAway { try await leave() }
    var result = try await Device.run("contactsctl", ["--agent", device.socketPath] + arguments)
    if fault == .brokerIsAway {
      // Commands that need the broker say so; the others succeed, and their edits wait.
      #expect([0, 75].contains(result.status), "\(arguments): \(result.error)")
      try await world.broker.restart()
      try await settle()
      if result.status == 75 {
        result = try await Device.run("contactsctl", ["--agent", device.socketPath] + arguments)
      }
    }
    #expect(result.status == 0, "\(arguments): \(result.error)")
    try await injectFault()
    try await settle()
    return result.output.trimmingCharacters(in: .newlines)
  }

  private func leave() async throws {
    try await world.broker.kill()
    for device in world.devices {
      try await Patience.wait(until: "\(device.name) to be offline") {
        try await device.requests.status().state != "live"
      }
    }
  }

  private func injectFault() async throws {
    switch fault {
    case .brokerDies: try await world.broker.kill()
    case .ownerDies: try await world.laptop.kill()
    case .ownersOtherDies: try await world.phone.kill()
    case .memberDies: try await world.tablet.kill()
    case .allDie:
      try await world.broker.kill()
      for device in world.devices { try await device.kill() }
    case .brokerIsAway: return
    }
    if [.brokerDies, .allDie].contains(fault) { try await world.broker.restart() }
    for device in world.devices where !device.agent.isRunning { try await device.restart() }
  }

  private func settle() async throws {
    for device in world.devices { try await device.settles() }
  }

  // MARK: Checks

  private func check() async throws {
    for device in [world.laptop, world.phone] {
      try await shows(device, names: names, company: company)
    }
    let tablet = world.tablet
    let right = right
    try await Patience.wait(until: "\(right ?? "nothing") to be Bob's right") {
      let row = try await tablet.control("group", "list").rows.first { $0[1] == "Rowing" }
      return row?[3] == right
    }
    try await shows(tablet, names: right == nil ? [] : names, company: right == nil ? "" : company)
    guard right == nil else { return }
    try await Patience.wait(until: "the bytes to be gone") {
      try !tablet.stores("Quuxworth")
    }
  }

  private func shows(_ device: Device, names: [String], company: String) async throws {
    let edited = edited
    try await Patience.wait(until: "\(names) of \(company) on \(device.name)") {
      let listed = try await device.control("list", "--group", "Rowing").rows.map { $0[1] }
      let contacts = try await device.requests.contacts()
      let shown = edited.isEmpty ? nil : contacts.first { $0.firstName == edited }
      return listed.sorted() == names.sorted() && (shown?.company ?? "") == company
    }
  }
}

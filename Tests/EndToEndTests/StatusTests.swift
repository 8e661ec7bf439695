// What a device reports about itself while its broker is frozen and while nothing happens.

import Glibc
import Processes
import Records
import Testing

extension EndToEnd {
  @Suite("the reported status")
  struct StatusTests {
    private struct Status: Decodable {
      struct Answer: Decodable {
        let state: String
        let seconds: Double?
      }

      let state: String
      let lastSyncAgeSeconds: Int?
      let warnings: [String]
      let connectionError: String?
      let brokerAnswer: Answer
    }

    private static func status(_ device: Device) async throws -> Status {
      try await device.requests.send("GET", "status").decoded(as: Status.self)
    }

    // MARK: A broker that does not answer

    @Test func `a frozen broker shows within ten seconds, and its device recovers by itself`()
      async throws
    {
      let broker = try await RunningBroker()
      let device = try await Device("laptop", brokerPath: broker.socketPath)
      try await device.settles()
      let events = try StatusEvents(of: device)
      defer { broker.program.send(SIGCONT) }
      let times = try await Patience.times(below: .seconds(10)) { number in
        if number > 0 {
          broker.program.send(SIGCONT)
          try await events.show("prompt")
        }
        broker.program.send(SIGSTOP)
        let start = ContinuousClock.now
        try await events.show("missing")
        return ContinuousClock.now - start
      }
      #expect(times.contains { $0 < .seconds(10) }, "\(times)")
      let frozen = try await Self.status(device)
      #expect(frozen.state == "offline" && frozen.brokerAnswer.state == "missing")
      for command in ["status", "doctor"] {
        let output = try await device.control(command).output
        #expect(output.contains("The broker has not answered for "), "\(output)")
      }
      #expect(try await device.control("status", "--is-live").status == 3)
      broker.program.send(SIGCONT)
      try await events.show("prompt")
      // The stream shows the last of several changes, so the slow answer may be missing in it.
      let late = events.answers.split(separator: "missing").last.map(Array.init)
      #expect(late == ["slow", "prompt"] || late == ["prompt"], "\(events.answers)")
      try await device.settles()
      #expect(try await Self.status(device).connectionError == nil)
    }

    @Test func `a device finds a broker again that was frozen for longer than a heartbeat`()
      async throws
    {
      let broker = try await RunningBroker()
      let device = try await Device("laptop", brokerPath: broker.socketPath)
      try await device.settles()
      broker.program.send(SIGSTOP)
      defer { broker.program.send(SIGCONT) }
      try await Patience.wait(until: "the connection to be given up") {
        let status = try await Self.status(device)
        return status.brokerAnswer.seconds ?? 0 > 35 && status.state == "connecting"
      }
      let words = try #require(try await Self.status(device).connectionError)
      #expect(words.hasPrefix("The broker has not answered for "))
      _ = try await device.requests.add(first: "Ada")
      broker.program.send(SIGCONT)
      try await device.settles()
    }

    @Test func `what waits for a frozen broker ends with a sentence`() async throws {
      let broker = try await RunningBroker()
      let device = try await Device("laptop", brokerPath: broker.socketPath)
      try await device.settles()
      try await device.does("group", "add", "Rowing")
      try await device.does("group", "add", "Choir")
      let link = try await device.does("share", "Rowing")
      broker.program.send(SIGSTOP)
      defer { broker.program.send(SIGCONT) }
      let start = ContinuousClock.now
      let waiting = try await device.control("accept", link, "--yes")
      #expect(ContinuousClock.now - start < .seconds(15))
      #expect(
        waiting.status == 75 && waiting.error.contains("The broker did not answer within 10 s."))
      for arguments in [["accept", link, "--yes"], ["share", "Choir"]] {
        let late = ContinuousClock.now
        let result = try await device.control(arguments: arguments)
        #expect(ContinuousClock.now - late < .seconds(15))
        #expect(result.status == 75, "\(result.error)")
        #expect(result.error.contains("The broker has not answered for "), "\(result.error)")
      }
    }

    @Test func `a live device is synchronized now, a disconnected one when it was last live`()
      async throws
    {
      let broker = try await RunningBroker()
      let device = try await Device("laptop", brokerPath: broker.socketPath)
      try await device.settles()
      try await Task.sleep(for: .seconds(4))
      let live = try await Self.status(device)
      #expect(live.state == "live" && live.lastSyncAgeSeconds ?? .max <= 1)
      try await broker.kill()
      try await Patience.wait(until: "the device to be alone") {
        try await Self.status(device).state != "live"
      }
      let alone = try await Self.status(device)
      #expect(alone.lastSyncAgeSeconds ?? .max <= 8, "the agent remembers when it was live")
      try await Patience.wait(until: "the time to pass") {
        try await Self.status(device).lastSyncAgeSeconds ?? 0 >= 3
      }
    }
  }
}

/// How the broker answered, as the agent's stream of everything tells it.
private final class StatusEvents {
  private let socket: UnixSocket
  private var text = ""
  /// Each change so far: `prompt`, `slow` or `missing`.
  private(set) var answers: [String] = []
  private var shownCount = 0

  init(of device: Device) throws {
    socket = try UnixSocket(path: device.socketPath)
    let request = "GET /v1/events/all HTTP/1.1\r\nHost: agent\r\n\r\n"
    _ = socket.sendSome(Array(request.utf8)[...])
  }

  /// Waits for an event with this answer after those that were waited for before.
  func show(_ answer: String) async throws {
    try await Patience.wait(until: "the answer “\(answer)” after \(answers)") {
      guard let chunk = socket.receiveSome() else {
        throw RecordsError(.networkUnavailable, "The stream ended.")
      }
      text += String(decoding: chunk, as: UTF8.self)
      read()
      guard let found = answers[shownCount...].firstIndex(of: answer) else { return false }
      shownCount = found + 1
      return true
    }
  }

  private func read() {
    for answer in text.matches(of: /"state":"(prompt|slow|missing)"/).map({ String($0.1) })
    where answers.last != answer {
      answers.append(answer)
    }
    // The rest can be the beginning of a state.
    text = String(text.suffix(16))
  }
}

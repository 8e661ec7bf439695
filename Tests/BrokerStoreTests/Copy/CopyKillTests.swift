// The real command is killed at random moments, on the way to PostgreSQL and back. The comparison at the end shares no
// code with the copy: SQLite compares the tables, and the files are compared byte for byte.

import BrokerPostgreSQL
import BrokerStore
import Foundation
import GRDB
import PredicateWorld
import Processes
import Testing

private let environment = ProcessInfo.processInfo.environment
private let isLarge = environment["CONTACTS"] != nil
private let contactCount = environment["CONTACTS"].flatMap { Int($0) } ?? 600
private let fileCount = environment["FILES"].flatMap { Int($0) } ?? 24
private let killCount = environment["KILLS"].flatMap { Int($0) } ?? 6
private let seed = environment["SEED"].flatMap { UInt64($0) } ?? 1

@Suite(
  "B6, I1, I19, S4 a copy that is killed", onPostgreSQL,
  .timeLimit(.minutes(5 + contactCount / 2000)))
struct CopyKillTests {
  /// `CONTACTS`, `FILES` and `KILLS` set the numbers, `SEED` the moments.
  @Test func `a copy to PostgreSQL and back that is killed again and again is equal`() async throws
  {
    var generator = SeededGenerator(seed: seed)
    let from = try CopiedPlace.make(.file)
    try CopiedCrowd(contactCount: contactCount, fileCount: fileCount).fill(from, seed: seed)
    let (there, back) = try await onThread { try durations(from) }
    let server = try await killedCopy(of: from, in: .server, within: there, &generator)
    let to = try await killedCopy(of: server, in: .file, within: back, &generator)
    #expect(try differences(from, to) == [])
    let files = try (fileDigests(from), fileDigests(to))
    #expect(files.0.count == fileCount && files.0 == files.1)
    for name in files.0 {
      let pair = [from, to].map { FileManager.default.contents(atPath: "\($0.filesPath)/\(name)") }
      #expect(pair[0] != nil && pair[0] == pair[1], "\(name)")
    }
  }

  private func report(_ line: String) {
    if isLarge { print(line) }
  }

  private func time<Result>(_ body: () throws -> Result) throws -> (Duration, Result) {
    let start = ContinuousClock.now
    let result = try body()
    return (.now - start, result)
  }

  // MARK: Runs

  private func start(_ source: CopiedPlace, to target: CopiedPlace) throws -> RunningProgram {
    try RunningProgram(
      "contacts-broker", ["copy", "--from", source.address.text, "--to", target.address.text])
  }

  /// Runs the command to its end. Returns what it printed.
  @discardableResult
  private func run(_ source: CopiedPlace, to target: CopiedPlace) throws -> String {
    let limit = ContinuousClock.now + Patience.limit
    while true {
      let program = try start(source, to: target)
      let status = program.waitUntilEnd()
      // The server may still be ending the connection of a command that was killed.
      if program.standardError.contains("is connected"), .now < limit { continue }
      #expect(isDone(program, status), "\(program.standardError)")
      return program.standardOutput
    }
  }

  /// Whether the command has copied the store, or an earlier one that was killed after its last step.
  private func isDone(_ program: RunningProgram, _ status: Int32) -> Bool {
    status == 0 || program.standardError.contains("was copied before")
  }

  /// How long a copy to the server takes, and one from there to files.
  private func durations(_ from: CopiedPlace) throws -> (there: Duration, back: Duration) {
    let scratch = try CopiedPlace.make(.server)
    let (there, output) = try time { try run(from, to: scratch) }
    report("to PostgreSQL: \(there); \(output.split(separator: "\n").last ?? "")")
    let (back, _) = try time { try run(scratch, to: CopiedPlace.make(.file)) }
    report("and back: \(back)")
    try from.reopen()
    return (there, back)
  }

  /// Copies the store to a new place by a command that is killed at least once.
  private func killedCopy(
    of source: CopiedPlace, in kind: CopiedPlace.Kind, within whole: Duration,
    _ generator: inout SeededGenerator
  ) async throws -> CopiedPlace {
    var (whole, target) = (whole, try CopiedPlace.make(kind))
    // The command may end before the first kill, because the machine is less busy than it was during the measurement.
    while try await kill(max(1, killCount / 2), source, to: target, within: whole, &generator) == 0
    {
      try #require(whole > .microseconds(1), "Each of the copies ended before it could be killed.")
      try source.reopen()
      (whole, target) = (whole / 2, try CopiedPlace.make(kind))
    }
    return target
  }

  /// Kills the command `count` times, unless it ends before, and then runs it to its end. Returns the number of kills.
  private func kill(
    _ count: Int, _ source: CopiedPlace, to target: CopiedPlace, within whole: Duration,
    _ generator: inout SeededGenerator
  ) async throws -> Int {
    for number in 0..<count {
      // Not at once: the first part of a run is the start of the program.
      let delay = whole * Double.random(in: 0.1...(0.1 + 2 / Double(count)), using: &generator)
      let wasKilled = try await onThread { try kill(source, to: target, after: delay) }
      guard wasKilled else {
        _ = try await onThread { try run(source, to: target) }
        return number
      }
    }
    _ = try await onThread { try run(source, to: target) }
    report("\(count) kills")
    return count
  }

  /// Returns whether the command was killed. Otherwise, it had ended before.
  private func kill(
    _ source: CopiedPlace, to target: CopiedPlace, after delay: Duration
  ) throws -> Bool {
    let program = try start(source, to: target)
    let end = ContinuousClock.now + delay
    while program.isRunning, .now < end { usleep(100) }
    program.send(SIGKILL)
    return program.waitUntilEnd() == -SIGKILL
  }

  // MARK: Comparison

  /// The tables with different rows.
  private func differences(_ source: CopiedPlace, _ target: CopiedPlace) throws -> [String] {
    let queue = try DatabaseQueue(path: source.databasePath + ".moved")
    defer { try? queue.close() }
    return try queue.writeWithoutTransaction { db in
      try db.execute(sql: "ATTACH ? AS other", arguments: [target.databasePath])
      let tables = try String.fetchAll(
        db,
        sql: """
          SELECT name FROM sqlite_master WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%'
          """)
      #expect(tables.count > 30)
      return try tables.filter { table in
        try [("main", "other"), ("other", "main")].contains { one, two in
          try Bool.fetchOne(
            db,
            sql: """
              SELECT (SELECT count(*) FROM \(one).\(table)) <> (SELECT count(*) FROM \(two).\(table))
                OR EXISTS (SELECT * FROM \(one).\(table) EXCEPT SELECT * FROM \(two).\(table))
              """) ?? true
        }
      }
    }
  }

  /// The names of all asset files, complete or not.
  private func fileDigests(_ place: CopiedPlace) throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: place.filesPath)
      .filter { $0.count > 8 && !$0.hasPrefix(".") }.sorted()
  }
}

extension CopiedPlace {
  fileprivate var directory: String {
    guard case .directory(let path) = address else { return "" }
    return path
  }

  fileprivate var databasePath: String { "\(directory)/broker.sqlite" }
  fileprivate var filesPath: String { "\(directory)/assets" }
}

extension StoreAddress {
  fileprivate var text: String {
    switch self {
    case .directory(let path): path
    case .server(let address): address
    }
  }
}

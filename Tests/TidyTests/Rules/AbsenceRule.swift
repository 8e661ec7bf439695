// Rules that imports alone cannot enforce: no SQL outside the stores, no environment variables read in many
// places, no clocks and no random numbers inside the cores.

/// Calls and texts that certain targets must not contain.
enum AbsenceRule {
  /// The targets that decide: synchronous, deterministic, without I/O.
  static let cores: Set<String> = ["Records", "Predicates", "Matching", "BrokerCore", "SyncCore"]
  /// The targets that speak SQL.
  static let stores: Set<String> = [
    "SQLConnections", "SQLiteFile", "PostgreSQLConnections", "BrokerStore", "BrokerPostgreSQL",
    "DeviceStore",
    "AddressBook", "TimelineStore",
    "CardDAVStore", "AgentStore", "RecordQueries",
  ]
  /// The targets that read the environment.
  static let environmentReaders: Set<String> = ["DaemonKit", "ControlCommands"]
  /// The targets that drive the cores and pass them the time.
  static let drivers: Set<String> = [
    "BrokerServer", "BrokerDaemon", "DeviceDriver", "AgentDaemon", "DaemonKit", "ControlCommands",
  ]

  /// Finds SQL outside the stores.
  static func sql(in file: SourceFile) -> [Finding] {
    guard !stores.contains(file.target) else { return [] }
    let words = ["SELECT ", "INSERT INTO ", "DELETE FROM ", "CREATE TABLE ", "PRAGMA "]
    return file.strings.indices.compactMap { index in
      guard let word = words.first(where: file.strings[index].contains) else { return nil }
      return file.finding(at: index, "Only the stores speak SQL; “\(word)…” belongs into one.")
    }
  }

  /// The targets of the replica, which serve records of any type.
  static let engine: Set<String> = ["SyncCore", "DeviceStore"]

  /// Finds the types of an application in the replica. The identifiers of migrations are on disk.
  static func applications(in file: SourceFile) -> [Finding] {
    guard engine.contains(file.target), file.name != "Schema" else { return [] }
    let words: Set<String> = [
      "contact", "contacts", "timeline", "post", "posts", "photo", "photos",
    ]
    return file.lines.indices.compactMap { index in
      let line = file.lines[index].lowercased()
      let found = line.split { !$0.isLetter && $0 != "-" }.first { words.contains(String($0)) }
      return found.map {
        file.finding(at: index, "“\($0)” in the replica; the replica serves records of any type.")
      }
    }
  }

  /// The targets of the applications, whose sentences are about contacts, groups and posts.
  static let applicationTargets: Set<String> = [
    "Contacts", "Collation", "Images", "Timeline", "ContactCards", "CardDAV", "AddressBook",
    "TimelineStore", "CardDAVStore",
  ]
  /// The targets above them. Only these name commands.
  static let programs: Set<String> = [
    "AgentStore", "AgentAPI", "AgentDaemon", "BrokerDaemon", "ControlCommands", "DaemonKit",
    "contacts",
  ]

  /// Finds the words of one application in sentences of the engine, and commands in those of any target below the
  /// programs. `AgentStore/ErrorSentences.swift` has the sentences of the address book.
  static func applicationSentences(in file: SourceFile) -> [Finding] {
    guard !programs.contains(file.target), !file.isGenerated else { return [] }
    var words: Set<String> = ["contactsctl", "contactsd"]
    if !applicationTargets.contains(file.target) {
      words.formUnion(["group", "groups", "contact"])
    }
    return file.strings.indices.compactMap { index in
      let found = file.strings[index].split { !$0.isLetter && !"-_".contains($0) }.map(String.init)
      return found.first(where: words.contains).map {
        file.finding(
          at: index,
          "“\($0)” in a sentence of \(file.target); AgentStore/ErrorSentences.swift is its place.")
      }
    }
  }

  /// Finds environment variables read by a target that receives its settings as parameters.
  static func environment(in file: SourceFile) -> [Finding] {
    guard !environmentReaders.contains(file.target) else { return [] }
    let calls = [
      "getenv(", ".environment[", "ProcessInfo.processInfo.environment", "EnvironmentVariables",
    ]
    return lines(of: file, containing: calls) {
      "“\($0)” reads the environment; only DaemonKit and ControlCommands do. Take a setting."
    }
  }

  /// Finds clocks and random numbers in a core.
  static func clocksAndRandomness(in file: SourceFile) -> [Finding] {
    guard cores.contains(file.target) else { return [] }
    let calls = [
      "ContinuousClock", "SuspendingClock", "clock_gettime", "Date(", "UUID(",
      "SystemRandomNumberGenerator", ".randomElement()", ".shuffled()", "arc4random",
    ]
    let named = lines(of: file, containing: calls) {
      "“\($0)” in a core: take the time or the generator as a parameter."
    }
    let unnamed = file.codeLines { line in
      line.contains(".random(in:") && !line.contains("using:")
    }
    return named
      + unnamed.map { file.finding(at: $0, "A random number in a core: pass `using:`.") }
  }

  /// Finds wall-clock time outside the drivers.
  static func wallClock(in file: SourceFile) -> [Finding] {
    guard !drivers.contains(file.target) else { return [] }
    return lines(of: file, containing: ["Date()", "Date.now"]) {
      "“\($0)” outside a driver: take a `Timestamp` as a parameter."
    }
  }

  private static func lines(
    of file: SourceFile, containing calls: [String], sentence: (String) -> String
  ) -> [Finding] {
    file.code.indices.compactMap { index in
      guard let call = calls.first(where: file.code[index].containsWord) else { return nil }
      return file.finding(at: index, sentence(call))
    }
  }
}

// Which target may import which modules. This table enforces the layers of docs/architecture.md: a target
// cannot depend on a module that is missing in its row.

/// Imports point down: nouns, bytes, decisions, disks and sockets, wiring.
enum ImportRule {
  /// The modules that each target may import in addition to the standard library.
  static let allowed: [String: Set<String>] = [
    "Records": [],
    "ByteCounts": [],
    "Predicates": ["Records"],
    "Images": ["Records", "ByteCounts"],
    "Timeline": ["Records", "ByteCounts", "Predicates"],
    // Foundation's ICU knows the sort order of languages.
    "Collation": ["CICU"],
    "Contacts": [
      "Records", "ByteCounts", "Collation", "Foundation", "FoundationEssentials", "Glibc",
    ],
    // Its lists are large: it uses pages of memory and prefetches them.
    "Matching": ["Records", "Predicates", "CMemory"],
    // HKDF and HMAC prove that a device and a broker know an invitation.
    "Pairing": ["Records", "Crypto", "FoundationEssentials"],
    "ContactCards": [
      "Records", "ByteCounts", "Images", "Contacts", "FoundationEssentials", "Glibc",
    ],
    // Foundation reads XML; SHA-256 makes entity tags and stores app passwords.
    "CardDAV": ["Records", "Contacts", "ContactCards", "Crypto", "Foundation", "FoundationXML"],
    "AgentAPI": ["Records", "Contacts"],
    // The wire's bytes are Foundation's `Data`, because SwiftProtobuf's are.
    "RecordsWire": ["Records", "SwiftProtobuf", "FoundationEssentials"],
    "BrokerCore": [
      "Records", "ByteCounts", "Predicates", "Matching", "DequeModule", "OrderedCollections",
    ],
    "SyncCore": ["Records"],
    "SQLConnections": ["Records"],
    "SQLiteFile": ["Records", "SQLConnections", "CSQLiteMemory"] + database,
    "PostgreSQLConnections": ["Records", "SQLConnections", "CPostgreSQL", "Glibc"],
    "AssetFiles": ["Records", "ByteCounts", "Crypto", "DequeModule", "Glibc"],
    "WholeFiles": ["Glibc", "SystemPackage"],
    "QRCodes": ["CQREncode"],
    "BrokerStore": [
      "Records", "Predicates", "Matching", "RecordsWire", "Pairing", "BrokerCore",
      "SQLConnections", "SQLiteFile", "AssetFiles", "WholeFiles", "Crypto",
    ] + database,
    // SHA-256 verifies copies of stores.
    "BrokerPostgreSQL": [
      "Records", "BrokerCore", "SQLConnections", "SQLiteFile", "PostgreSQLConnections",
      "AssetFiles", "BrokerStore", "Crypto",
    ] + database,
    // SHA-256 computes the public ids of records.
    "DeviceStore": [
      "Records", "ByteCounts", "RecordsWire", "Matching", "SyncCore", "SQLiteFile", "Crypto",
    ] + database,
    // The applications of a replica. The replica itself sees neither contacts nor posts.
    "AddressBook": [
      "Records", "Collation", "Contacts", "DeviceStore", "SQLiteFile", "Dispatch",
    ] + database,
    "TimelineStore": [
      "Records", "Timeline", "SyncCore", "DeviceStore", "SQLiteFile",
    ] + database,
    // SHA-256 names the cards that clients have read.
    "CardDAVStore": [
      "Records", "Contacts", "ContactCards", "CardDAV", "DeviceStore", "SQLiteFile", "Crypto",
    ] + database,
    "AgentStore": [
      "Records", "ByteCounts", "Collation", "DeviceStore", "AddressBook", "TimelineStore",
      "CardDAVStore", "SQLiteFile",
    ] + database,
    "RecordQueries": ["Records", "Predicates", "DeviceStore", "SQLiteFile"] + database,
    "BrokerLinks": [
      "Records", "RecordsWire", "Pairing", "Crypto", "NIOCore", "NIOPosix", "NIOSSL", "NIOTLS",
      "Subprocess",
      "SystemPackage", "Glibc",
    ],
    // Its watch of the broker's socket calls inotify(7); its clock is Foundation's.
    "DeviceDriver": [
      "Records", "RecordsWire", "SyncCore", "DeviceStore", "AssetFiles", "BrokerLinks", "Pairing",
      "Logging", "NIOCore", "NIOPosix", "FoundationEssentials", "Glibc",
    ],
    // Its callers use dates and files; SHA-256 names their assets; its devices wait.
    "BrokerClient": [
      "Records", "RecordsWire", "SyncCore", "BrokerLinks", "WholeFiles", "Crypto", "NIOCore",
      "NIOPosix", "FoundationEssentials",
    ],
    "OfflineClient": [
      "Records", "ByteCounts", "Predicates", "Pairing", "SyncCore", "WholeFiles", "AssetFiles",
      "DeviceStore",
      "RecordQueries", "BrokerLinks", "DeviceDriver", "BrokerClient", "GRDB", "Logging",
      "NIOPosix", "Foundation", "Glibc",
    ],
    "BrokerClientTesting": [
      "Records", "BrokerCore", "BrokerStore", "BrokerServer", "BrokerClient",
      "FoundationEssentials", "Glibc",
    ],
    // A server's key signs its certificate; SHA-256 names the key.
    "DaemonKit": [
      "Records", "ByteCounts", "WholeFiles", "CMemory", "CSystemd", "Crypto", "DequeModule",
      "NIOSSL", "Subprocess", "SystemPackage",
    ] + daemon,
    // It needs no service manager and reads no settings, so that tests run it in their own process.
    "BrokerServer": [
      "Records", "Predicates", "RecordsWire", "BrokerCore", "BrokerStore", "AssetFiles", "Crypto",
      "Logging", "NIOCore", "NIOPosix", "NIOSSL", "NIOTLS", "Foundation", "Glibc",
    ],
    "BrokerDaemon": [
      "Records", "Predicates", "RecordsWire", "Pairing", "BrokerCore", "BrokerStore",
      "BrokerPostgreSQL", "BrokerServer", "SQLiteFile",
      "AssetFiles", "WholeFiles", "QRCodes", "DaemonKit", "ArgumentParser", "Crypto", "NIOHTTP1",
      "NIOSSL",
      "NIOTLS",
    ] + daemon,
    "AgentDaemon": [
      "Records", "ByteCounts", "RecordsWire", "Images", "Collation", "Contacts", "Timeline",
      "ContactCards", "CardDAV",
      "AgentAPI", "SyncCore", "SQLiteFile", "AssetFiles", "DeviceStore", "DeviceDriver",
      "AddressBook",
      "TimelineStore", "CardDAVStore", "AgentStore", "BrokerLinks", "Pairing", "CZlib", "CWebPage",
      "QRCodes",
      "DaemonKit", "GRDB", "NIOHTTPTypes", "NIOSSL",
      "ArgumentParser", "AsyncAlgorithms", "Crypto", "Hummingbird", "HummingbirdCore", "HTTPTypes",
    ] + daemon,
    "ControlCommands": [
      "Records", "ByteCounts", "CMemory", "CStandardStreams", "Images", "Collation", "Contacts",
      "AgentAPI",
      "Pairing",
      "WholeFiles", "QRCodes",
      "ArgumentParser", "NIOCore", "NIOPosix", "NIOHTTP1", "Subprocess", "SystemPackage", "Yams",
      "Foundation", "FoundationEssentials", "Glibc",
    ],
    "contacts": ["BrokerDaemon", "AgentDaemon", "ControlCommands", "CNoICUData", "Glibc"],
  ]

  /// Modules of the standard library that every target may import.
  static let everywhere: Set<String> = ["Synchronization"]
  /// The imports of the generated messages.
  static let generated: Set<String> = ["SwiftProtobuf", "Foundation", "FoundationEssentials"]

  private static let database: Set<String> = [
    "GRDB", "GRDBSQLite", "Foundation", "FoundationEssentials", "Glibc",
  ]
  private static let daemon: Set<String> = [
    "Logging", "ServiceLifecycle", "UnixSignals", "NIOCore", "NIOPosix",
    "Foundation", "FoundationEssentials", "Glibc",
  ]

  /// Finds imports in a file under `Sources` that its target may not have.
  static func findings(in file: SourceFile) -> [Finding] {
    guard let targetAllows = allowed[file.target] else {
      let sentence = "Target \(file.target) has no row in ImportRule.allowed; give it one."
      return [file.finding(at: 0, sentence)]
    }
    let mayImport = (file.isGenerated ? generated : targetAllows).union(everywhere)
    return file.code.indices.compactMap { index in
      guard let module = importedModule(file.code[index]), !mayImport.contains(module) else {
        return nil
      }
      return file.finding(at: index, "\(file.target) may not import \(module).")
    }
  }

  /// Returns the module that a line imports: `NIOCore` for `@preconcurrency import struct NIOCore.X`.
  static func importedModule(_ line: String) -> String? {
    let words = line.split(separator: " ")
    guard let keyword = words.firstIndex(of: "import"),
      words[..<keyword].allSatisfy({ $0.hasPrefix("@") || accessLevels.contains(String($0)) })
    else { return nil }
    let rest = words[(keyword + 1)...].drop { kinds.contains(String($0)) }
    return rest.first.map { String($0.prefix { $0 != "." }) }
  }

  private static let accessLevels: Set = [
    "private", "fileprivate", "internal", "package", "public",
  ]
  private static let kinds: Set = [
    "struct", "class", "enum", "protocol", "func", "var", "let", "typealias",
  ]
}

private func + (left: Set<String>, right: Set<String>) -> Set<String> { left.union(right) }

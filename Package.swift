// swift-tools-version: 6.2
// Targets stand in the order in which they depend on each other: nouns, bytes, decisions, I/O,
// wiring. What each may import is written in docs/architecture.md and checked by TidyTests.

import PackageDescription

// A command starts sooner with compact relocations, which glibc reads since 2.36, and without a table of all symbols. The
// linker gold does not write them.
let quickStart: [LinkerSetting] = [
  .unsafeFlags(
    [
      "-use-ld=lld", "-Xlinker", "-z", "-Xlinker", "pack-relative-relocs", "-Xlinker",
      "--no-export-dynamic",
    ],
    .when(platforms: [.linux], configuration: .release))
]

// `make test` sets CONTACTS_QUICK. It builds neither the targets at the end of this file nor the folders that `isQuick`
// excludes, because together they take a third of a build. `make check` builds them.
let isQuick = Context.environment["CONTACTS_QUICK"] != nil

let package = Package(
  name: "contacts",
  products: [
    // The three programs; the name under which it is started says which one.
    .executable(name: "contacts", targets: ["contacts"])
  ],
  // Packages that only use the libraries disable the trait, and do not resolve what only the programs need
  // (docs/decisions/0059).
  traits: [
    .default(enabledTraits: ["Programs"]),
    .trait(name: "Programs", description: "Build the three programs."),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-async-algorithms", from: "1.1.4"),
    .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
    .package(url: "https://github.com/apple/swift-http-types", from: "1.4.0"),
    .package(url: "https://github.com/apple/swift-crypto", "3.12.3"..<"5.0.0"),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
    .package(url: "https://github.com/apple/swift-nio-extras", from: "1.34.3"),
    .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
    .package(url: "https://github.com/apple/swift-protobuf", from: "1.39.0"),
    .package(url: "https://github.com/apple/swift-system", from: "1.8.1"),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    .package(
      url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1",
      // Without ConfigurationSupport: the agent reads its settings itself.
      traits: ["FullFoundation"]),
    .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
    .package(url: "https://github.com/swiftlang/swift-subprocess", from: "1.0.2"),
  ],
  targets: [
    // Nouns.
    .target(name: "Records"),
    .target(name: "ByteCounts"),
    .target(name: "Predicates", dependencies: ["Records"]),
    .target(
      name: "CICU", linkerSettings: [.linkedLibrary("icui18n"), .linkedLibrary("icuuc")]),
    .target(name: "Collation", dependencies: ["CICU"]),
    .target(name: "Images", dependencies: ["Records", "ByteCounts"]),
    .target(name: "Contacts", dependencies: ["Records", "ByteCounts", "Collation"]),
    .target(name: "Timeline", dependencies: ["Records", "ByteCounts", "Predicates"]),

    // Bytes.
    .target(
      name: "RecordsWire", dependencies: ["Records", .swiftProtobuf],
      exclude: ["records.proto"]),

    .target(name: "Pairing", dependencies: ["Records", .crypto]),
    .target(
      name: "ContactCards", dependencies: ["Records", "ByteCounts", "Images", "Contacts"]),
    .target(name: "CardDAV", dependencies: ["Records", "Contacts", "ContactCards", .crypto]),
    .target(name: "AgentAPI", dependencies: ["Records", "Contacts"]),

    // Decisions: synchronous, deterministic, no I/O.
    .target(name: "CMemory"),
    .target(name: "Matching", dependencies: ["Records", "Predicates", "CMemory"]),
    .target(
      name: "BrokerCore",
      dependencies: [
        "Records", "ByteCounts", "Predicates", "Matching", .deque, .orderedCollections,
      ]),
    .target(name: "SyncCore", dependencies: ["Records"]),

    // Disks and sockets.
    .target(name: "SQLConnections", dependencies: ["Records"]),
    .target(name: "CSQLiteMemory", linkerSettings: [.linkedLibrary("sqlite3")]),
    .target(
      name: "SQLiteFile",
      dependencies: ["Records", "SQLConnections", "CSQLiteMemory", .grdb, .grdbSQLite]),
    // The headers of libpq; the library is loaded when a PostgreSQL database is used.
    .target(name: "CPostgreSQL"),
    .target(
      name: "PostgreSQLConnections", dependencies: ["Records", "SQLConnections", "CPostgreSQL"]),
    .target(name: "WholeFiles", dependencies: [.systemPackage]),
    .systemLibrary(
      name: "CQREncode", pkgConfig: "libqrencode", providers: [.apt(["libqrencode-dev"])]),
    .target(name: "QRCodes", dependencies: ["CQREncode"]),
    .systemLibrary(name: "CZlib", providers: [.apt(["zlib1g-dev"])]),
    .target(name: "AssetFiles", dependencies: ["Records", "ByteCounts", .crypto, .deque]),
    .target(
      name: "BrokerStore",
      dependencies: [
        "Records", "Predicates", "Matching", "RecordsWire", "Pairing", "BrokerCore",
        "SQLConnections", "SQLiteFile", "AssetFiles", "WholeFiles", .crypto, .grdb,
      ]),
    .target(
      name: "BrokerPostgreSQL",
      dependencies: [
        "Records", "BrokerCore", "SQLConnections", "SQLiteFile", "PostgreSQLConnections",
        "AssetFiles", "BrokerStore", .crypto, .grdb,
      ]),
    .target(
      name: "DeviceStore",
      dependencies: [
        "Records", "ByteCounts", "RecordsWire", "Matching", "SyncCore", "SQLiteFile", .crypto,
        .grdb,
      ]),
    .target(
      name: "RecordQueries",
      dependencies: ["Records", "Predicates", "DeviceStore", "SQLiteFile", .grdb]),
    .target(
      name: "AddressBook",
      dependencies: ["Records", "Collation", "Contacts", "DeviceStore", "SQLiteFile", .grdb]),
    .target(
      name: "TimelineStore",
      dependencies: [
        "Records", "Timeline", "SyncCore", "DeviceStore", "SQLiteFile", .grdb,
      ]),
    .target(
      name: "CardDAVStore",
      dependencies: [
        "Records", "Contacts", "ContactCards", "CardDAV", "DeviceStore", "SQLiteFile", .crypto,
        .grdb,
      ]),
    .target(
      name: "AgentStore",
      dependencies: [
        "Records", "ByteCounts", "Collation", "DeviceStore", "AddressBook", "TimelineStore",
        "CardDAVStore", "SQLiteFile", .grdb,
      ]),
    .target(
      name: "BrokerLinks",
      dependencies: [
        "Records", "RecordsWire", "Pairing", .crypto, .nioCore, .nioPosix, .nioSSL, .nioTLS,
        .subprocess, .systemPackage,
      ]),
    .target(
      name: "DeviceDriver",
      dependencies: [
        "Records", "RecordsWire", "SyncCore", "DeviceStore", "AssetFiles", "BrokerLinks", "Pairing",
        .logging, .nioCore, .nioPosix,
      ]),
    .systemLibrary(
      name: "CSystemd", pkgConfig: "libsystemd", providers: [.apt(["libsystemd-dev"])]),
    .target(
      name: "DaemonKit",
      dependencies: [
        "Records", "ByteCounts", "WholeFiles", "CMemory", "CSystemd",
        .crypto, .deque, .logging, .serviceLifecycle, .nioCore, .nioPosix, .nioSSL, .subprocess,
        .systemPackage,
      ]),

    // Wiring.
    .target(
      name: "BrokerServer",
      dependencies: [
        "Records", "Predicates", "RecordsWire", "BrokerCore", "BrokerStore", "AssetFiles",
        .crypto, .logging, .nioCore, .nioPosix, .nioSSL, .nioTLS,
      ]),
    .target(
      name: "BrokerDaemon",
      dependencies: [
        "Records", "Predicates", "RecordsWire", "Pairing", "BrokerCore", "BrokerStore",
        "BrokerPostgreSQL", "BrokerServer", "SQLiteFile", "AssetFiles", "WholeFiles", "QRCodes",
        "DaemonKit", .argumentParser, .crypto, .logging,
        .nioCore,
        .nioHTTP1,
        .nioPosix, .nioSSL, .nioTLS,
        .serviceLifecycle, .unixSignals,
      ]),
    .target(name: "CWebPage"),
    .target(
      name: "AgentDaemon",
      dependencies: [
        "Records", "ByteCounts", "RecordsWire", "Images", "Collation", "Contacts", "Timeline",
        "ContactCards",
        "CardDAV", "AgentAPI", "SyncCore", "SQLiteFile", "AssetFiles", "DeviceStore", "AddressBook",
        "TimelineStore", "CardDAVStore", "AgentStore", "DeviceDriver", "BrokerLinks", "Pairing",
        "CZlib", "CWebPage", "QRCodes",
        "DaemonKit",
        .asyncAlgorithms, .grdb, .logging,
        .serviceLifecycle, .nioCore, .nioPosix, .nioSSL, .nioHTTPTypes,
        .hummingbird,
        .crypto, .hummingbirdCore, .httpTypes, .argumentParser, .unixSignals,
      ],
      exclude: ["Web/Page"]),
    .target(name: "CStandardStreams"),
    .target(
      name: "ControlCommands",
      dependencies: [
        "Records", "ByteCounts", "CMemory", "CStandardStreams", "Images", "Collation", "Contacts",
        "AgentAPI", "Pairing",
        "WholeFiles",
        "QRCodes",
        .argumentParser, .nioCore, .nioHTTP1, .nioPosix, .subprocess, .systemPackage, .yams,
      ]),
    .target(name: "CNoICUData"),
    .executableTarget(
      name: "contacts",
      dependencies: ["BrokerDaemon", "AgentDaemon", "ControlCommands", "CNoICUData"],
      linkerSettings: quickStart),

    // Proof.
    .target(
      name: "PostgreSQLStores",
      dependencies: [
        "BrokerCore", "BrokerPostgreSQL", "BrokerStore", "PostgreSQLConnections", "Processes",
      ],
      path: "Tests/Support/PostgreSQLStores"),
    .target(
      name: "PredicateWorld", dependencies: ["Predicates", "Records"],
      path: "Tests/Support/PredicateWorld"),
    // A second opinion, which shares no code with the first.
    .target(
      name: "PredicateOracle", path: "Tests/Support/PredicateOracle",
      linkerSettings: [.linkedLibrary("_FoundationICU")]),
    .target(
      name: "DeviceRoom",
      dependencies: [
        "Contacts", "Records", "SyncCore", "DeviceStore", "AgentStore", .grdb,
      ],
      path: "Tests/Support/DeviceRoom"),
    .target(name: "TestTiers", path: "Tests/Support/TestTiers"),
    .target(name: "CSpawn", path: "Tests/Support/CSpawn"),
    .target(
      name: "Processes", dependencies: ["CSpawn", "Records"], path: "Tests/Support/Processes"),
    .testTarget(name: "ByteCountsTests", dependencies: ["ByteCounts"]),
    .testTarget(name: "RecordsTests", dependencies: ["PredicateWorld", "Records"]),
    .testTarget(
      name: "PredicatesTests",
      dependencies: ["Predicates", "PredicateOracle", "PredicateWorld", "Records", "TestTiers"]),
    .testTarget(
      name: "MatchingTests",
      dependencies: ["Matching", "Predicates", "PredicateWorld", "Records", "TestTiers"]),
    .testTarget(name: "PairingTests", dependencies: ["Pairing", "Records"]),
    .testTarget(
      name: "ContactCardsTests",
      dependencies: [
        "ContactCards", "Contacts", "PredicateWorld", "Processes", "Records", "TestTiers",
      ],
      exclude: ["Oracle"]),
    .testTarget(
      name: "CardDAVTests",
      dependencies: [
        "CardDAV", "ContactCards", "Contacts", "PredicateWorld", "Processes", "Records",
        "TestTiers",
      ],
      exclude: ["Oracle"]),
    .testTarget(
      name: "AgentAPITests",
      dependencies: ["AgentAPI", "Contacts", "PredicateWorld", "Records", .yams]),
    .testTarget(name: "CollationTests", dependencies: ["Collation", "PredicateWorld"]),
    .testTarget(
      name: "ContactsTests",
      dependencies: ["Collation", "Contacts", "PredicateWorld", "Records", "TestTiers"]),
    .testTarget(name: "ImagesTests", dependencies: ["Images", "Records"]),
    .testTarget(name: "TimelineTests", dependencies: ["Timeline", "Records"]),
    .testTarget(
      name: "RecordsWireTests", dependencies: ["RecordsWire", "TestTiers", .swiftProtobuf]),
    .testTarget(
      name: "BrokerLinksTests",
      dependencies: [
        "BrokerLinks", "PredicateWorld", "Processes", "Records", "RecordsWire", "TestTiers",
        .nioCore,
        .nioEmbedded, .nioPosix,
      ]),
    .testTarget(name: "BrokerCoreTests", dependencies: ["BrokerCore", "Records"]),
    .testTarget(
      name: "AssetFilesTests", dependencies: ["AssetFiles", "Records", "SQLiteFile", .crypto]),
    .testTarget(name: "SyncCoreTests", dependencies: ["SyncCore"]),
    .testTarget(
      name: "BrokerStoreTests",
      dependencies: [
        "AssetFiles", "BrokerPostgreSQL", "BrokerStore", "BrokerCore", "Pairing", "Predicates",
        "PredicateWorld", "Processes", "PostgreSQLConnections", "PostgreSQLStores", "Records",
        "SQLConnections", "SQLiteFile", "TestTiers", .grdb,
      ],
      exclude: isQuick ? ["Copy", "PostgreSQL"] : []),
    .testTarget(
      name: "BrokerServerTests",
      dependencies: [
        "AssetFiles", "BrokerCore", "BrokerServer", "BrokerStore", "Records", "RecordsWire",
        .logging, .nioPosix,
      ]),
    .testTarget(
      name: "DeviceStoreTests",
      dependencies: [
        "DeviceStore", "AddressBook", "AgentStore", "DeviceRoom", "PredicateWorld", "SQLiteFile",
        "TestTiers", .crypto, .grdb,
      ]),
    .testTarget(
      name: "CardDAVStoreTests",
      dependencies: [
        "AgentStore", "CardDAV", "CardDAVStore", "ContactCards", "Contacts", "DeviceRoom",
        "DeviceStore", "PredicateWorld", "Records", "TestTiers", .grdb,
      ]),
    .testTarget(
      name: "AgentStoreTests",
      dependencies: [
        "AddressBook", "AgentStore", "Collation", "Contacts", "DeviceRoom", "DeviceStore",
        "Records", .grdb,
      ]),
    .testTarget(
      name: "AddressBookTests",
      dependencies: [
        "Collation", "Contacts", "DeviceStore", "AddressBook", "AgentStore", "DeviceRoom",
        "PredicateWorld", "Records", "TestTiers", .grdb,
      ]),
    .testTarget(
      name: "TimelineStoreTests",
      dependencies: [
        "AgentStore", "Contacts", "DeviceStore", "DeviceRoom", "AddressBook", "Records", "SyncCore",
        "Timeline", "TimelineStore", .grdb,
      ]),
    .testTarget(
      name: "RecordQueriesTests",
      dependencies: [
        "DeviceStore", "Predicates", "PredicateWorld", "RecordQueries", "Records", "SQLiteFile",
        "SyncCore", .grdb,
      ]),
    .testTarget(
      name: "DaemonKitTests",
      dependencies: [
        "DaemonKit", "Processes", "Records", "SQLiteFile", .crypto, .logging, .serviceLifecycle,
        .nioCore, .nioPosix, .nioSSL,
      ]),
    .testTarget(
      name: "AgentDaemonTests",
      dependencies: [
        "AgentAPI", "AgentDaemon", "AssetFiles", "CardDAV", "Collation", "ContactCards", "Contacts",
        "DaemonKit", "DeviceDriver", "DeviceStore", "AddressBook", "TimelineStore", "AgentStore",
        "PredicateWorld", "Processes", "QRCodes", "Records", "SQLiteFile", "SyncCore", "Timeline",
        "TestTiers", .argumentParser, .hummingbirdCore, .httpTypes, .logging,
        .nioCore,
        .nioHTTP1, .nioPosix,
      ]),
    .testTarget(
      name: "ControlCommandsTests",
      dependencies: [
        "AgentAPI", "ControlCommands", "Contacts", "PredicateWorld", "Processes", "Records",
        "TestTiers", .argumentParser, .nioCore, .nioHTTP1,
      ]),
    .testTarget(name: "QRCodesTests", dependencies: ["QRCodes"]),
    .testTarget(name: "WholeFilesTests", dependencies: ["WholeFiles"]),
    .testTarget(name: "SQLiteFileTests", dependencies: ["Records", "SQLiteFile", .grdb]),
    .testTarget(name: "StoryTests", dependencies: ["Processes", "Records", "contacts"]),
    .testTarget(
      name: "TidyTests", exclude: ["plain-words.txt", "ratchet.txt"]),
  ],
  // `#embed` is of C23.
  cLanguageStandard: .gnu2x
)

if !isQuick {
  package.products += [
    .library(name: "BrokerClient", targets: ["BrokerClient"]),
    .library(name: "BrokerClientTesting", targets: ["BrokerClientTesting"]),
    .library(name: "OfflineClient", targets: ["OfflineClient"]),
    // Preloaded into the programs under test.
    .library(name: "DiskFaults", type: .dynamic, targets: ["DiskFaults"]),
  ]
  package.targets += [
    // The client libraries.
    .target(
      name: "BrokerClient",
      dependencies: [
        "Records", "RecordsWire", "SyncCore", "BrokerLinks", "WholeFiles", .crypto, .nioCore,
        .nioPosix,
      ]),
    .target(
      name: "OfflineClient",
      dependencies: [
        "Records", "ByteCounts", "Predicates", "Pairing", "SyncCore", "WholeFiles", "AssetFiles",
        "DeviceStore",
        "RecordQueries", "BrokerLinks", "DeviceDriver", "BrokerClient", .grdb, .logging, .nioPosix,
      ]),
    .target(
      name: "BrokerClientTesting",
      dependencies: ["Records", "BrokerCore", "BrokerStore", "BrokerServer", "BrokerClient"]),

    // Examples, which the pages show.
    .executableTarget(
      name: "moving-day", dependencies: ["BrokerClient"], path: "examples/MovingDay"),
    .executableTarget(
      name: "zone-sharing", dependencies: ["BrokerClient"], path: "examples/ZoneSharing"),
    .executableTarget(
      name: "shopping-list", dependencies: ["OfflineClient"], path: "examples/ShoppingList"),
    .executableTarget(
      name: "offline-timeline", dependencies: ["OfflineClient"],
      path: "examples/OfflineTimeline"),

    // Benchmarks.
    .target(name: "Measuring", path: "Benchmarks/Measuring"),
    .executableTarget(
      name: "broker-bench",
      dependencies: [
        "Measuring", "Records", "Predicates", "RecordsWire", "BrokerCore", "BrokerStore", .crypto,
        .nioCore, .nioEmbedded, .nioSSL, .nioTLS,
      ],
      path: "Benchmarks/BrokerBench"),
    .executableTarget(
      name: "device-bench",
      dependencies: [
        "Measuring", "Records", "Predicates", "RecordsWire", "SyncCore", "Collation", "Contacts",
        "DeviceStore", "AddressBook", "TimelineStore", "AgentStore", "RecordQueries", "BrokerLinks",
        "DeviceDriver", .grdb, .logging, .nioCore, .nioPosix,
      ],
      path: "Benchmarks/DeviceBench"),
    .executableTarget(
      name: "card-check", dependencies: ["Records", "Contacts", "ContactCards"],
      path: "Benchmarks/CardCheck"),
    .executableTarget(
      name: "matching-bench",
      dependencies: ["Measuring", "CMemory", "Matching", "Predicates", "Records"],
      path: "Benchmarks/MatchingBench"),
    .target(name: "DiskFaults", path: "Tests/Support/DiskFaults"),
    .executableTarget(
      name: "simulation-run", dependencies: ["Simulation"], path: "Tests/Support/SimulationRun"),
    .testTarget(
      name: "BrokerDaemonTests",
      dependencies: [
        "AssetFiles", "BrokerCore", "BrokerDaemon", "BrokerPostgreSQL", "BrokerServer",
        "BrokerStore", "Matching", "Predicates",
        "PostgreSQLConnections", "PostgreSQLStores", "PredicateWorld", "Processes", "Records",
        "RecordsWire", "SQLConnections", "SQLiteFile", "contacts", .crypto, .grdb, .logging,
        .nioPosix,
      ]),
    .testTarget(
      name: "ExampleTests",
      dependencies: [
        "BrokerClient", "BrokerClientTesting", "OfflineClient", "Processes", "contacts",
        "moving-day", "offline-timeline", "shopping-list", "zone-sharing",
      ]),
    .testTarget(
      name: "PostgreSQLConnectionsTests",
      dependencies: [
        "PostgreSQLConnections", "PredicateWorld", "Processes", "Records", "SQLConnections",
      ]),
    .target(
      name: "Simulation",
      dependencies: [
        "Records", "Predicates", "Matching", "Timeline", "RecordsWire", "BrokerCore", "SyncCore",
        "BrokerStore", "Collation", "DeviceStore", "AddressBook", "TimelineStore", "AgentStore",
        "RecordQueries", "DeviceRoom", "PredicateWorld", .grdb,
      ],
      path: "Tests/Support/Simulation"),
    .testTarget(
      name: "BrokerClientTests",
      dependencies: [
        "BrokerClient", "BrokerClientTesting", "BrokerLinks", "Processes", "Records", "RecordsWire",
        .nioCore, .nioPosix,
      ]),
    .testTarget(
      name: "BrokerClientTestingTests",
      dependencies: ["BrokerClient", "BrokerClientTesting", "BrokerLinks"]),
    .testTarget(
      name: "DeviceDriverTests",
      dependencies: [
        "AssetFiles", "BrokerClient", "BrokerClientTesting", "BrokerLinks", "DeviceDriver",
        "DeviceStore", "Processes", "Records", "RecordsWire", "SyncCore", .grdb, .logging, .nioCore,
        .nioPosix,
      ]),
    .testTarget(
      name: "OfflineClientTests",
      dependencies: [
        "BrokerClientTesting", "OfflineClient", "Processes", "contacts",
      ]),
    .testTarget(
      name: "SimulationTests", dependencies: ["PostgreSQLStores", "Processes", "Simulation"]),
    .testTarget(
      name: "EndToEndTests",
      dependencies: [
        "BrokerClient", "CSystemd", "DaemonKit", "PredicateWorld", "Processes", "Records",
        "RecordsWire", "contacts", .grdb, .nioCore, .nioPosix, .nioSSL,
      ]),
    .testTarget(
      name: "SystemdTests",
      dependencies: ["Processes", "Records", "contacts"]),
  ]
}

extension Target.Dependency {
  /// A product that only the programs use.
  static func program(_ name: String, package: String) -> Target.Dependency {
    .product(name: name, package: package, condition: .when(traits: ["Programs"]))
  }

  static let argumentParser = Target.Dependency.program(
    "ArgumentParser", package: "swift-argument-parser")
  static let asyncAlgorithms = Target.Dependency.program(
    "AsyncAlgorithms", package: "swift-async-algorithms")
  static let crypto = Target.Dependency.product(name: "Crypto", package: "swift-crypto")
  static let deque = Target.Dependency.product(name: "DequeModule", package: "swift-collections")
  static let orderedCollections = Target.Dependency.product(
    name: "OrderedCollections", package: "swift-collections")
  static let grdbSQLite = Target.Dependency.product(name: "GRDBSQLite", package: "GRDB.swift")
  static let grdb = Target.Dependency.product(name: "GRDB", package: "GRDB.swift")
  static let httpTypes = Target.Dependency.program("HTTPTypes", package: "swift-http-types")
  static let hummingbird = Target.Dependency.program("Hummingbird", package: "hummingbird")
  static let hummingbirdCore = Target.Dependency.program("HummingbirdCore", package: "hummingbird")
  static let logging = Target.Dependency.product(name: "Logging", package: "swift-log")
  static let nioCore = Target.Dependency.product(name: "NIOCore", package: "swift-nio")
  static let nioEmbedded = Target.Dependency.product(name: "NIOEmbedded", package: "swift-nio")
  static let nioHTTPTypes = Target.Dependency.program("NIOHTTPTypes", package: "swift-nio-extras")
  static let nioHTTP1 = Target.Dependency.product(name: "NIOHTTP1", package: "swift-nio")
  static let nioPosix = Target.Dependency.product(name: "NIOPosix", package: "swift-nio")
  static let nioSSL = Target.Dependency.product(name: "NIOSSL", package: "swift-nio-ssl")
  static let nioTLS = Target.Dependency.product(name: "NIOTLS", package: "swift-nio")
  static let serviceLifecycle = Target.Dependency.program(
    "ServiceLifecycle", package: "swift-service-lifecycle")
  static let unixSignals = Target.Dependency.program(
    "UnixSignals", package: "swift-service-lifecycle")
  static let yams = Target.Dependency.program("Yams", package: "Yams")
  static let swiftProtobuf = Target.Dependency.product(
    name: "SwiftProtobuf", package: "swift-protobuf")
  static let subprocess = Target.Dependency.product(name: "Subprocess", package: "swift-subprocess")
  static let systemPackage = Target.Dependency.product(
    name: "SystemPackage", package: "swift-system")
}

for target in package.targets where target.type != .system {
  target.swiftSettings = [
    .swiftLanguageMode(.v6),
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InferIsolatedConformances"),
    .enableUpcomingFeature("ImmutableWeakCaptures"),
  ]
}

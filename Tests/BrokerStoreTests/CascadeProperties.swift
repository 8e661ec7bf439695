// Property test of cascades. It saves, changes, deletes and recreates records whose references form random
// trees and cycles, several in a request, with cascades that exceed a transaction. After each step the
// visible records must equal those of a simple model without limits.

import BrokerCore
import BrokerStore
import PredicateWorld
import Records
import TestTiers
import Testing

/// A simple model of the records.
private struct PlainWorld {
  struct Plain {
    var parents: Set<String>
    var saved: Int
  }

  private(set) var records: [String: Plain] = [:]
  private var clock = 0

  enum Act {
    case save(String, Set<String>)
    case delete(String)
  }

  /// Applies a group of operations. Returns whether it is allowed.
  mutating func perform(_ acts: [Act]) -> Bool {
    var next = self
    var deleted: [(String, Int)] = []
    var wanted: Set<String> = []
    for act in acts {
      next.clock += 1
      switch act {
      case .save(let name, let parents):
        wanted.insert(name)
        next.records[name] = Plain(parents: parents, saved: next.clock)
      case .delete(let name):
        if next.records.removeValue(forKey: name) != nil { deleted.append((name, next.clock)) }
      }
    }
    for name in wanted {
      for parent in next.records[name]?.parents ?? [] where next.records[parent] == nil {
        return false
      }
    }
    while let (gone, when) = deleted.popLast() {
      for (name, plain) in next.records where plain.parents.contains(gone) && plain.saved < when {
        next.clock += 1
        next.records[name] = nil
        deleted.append((name, next.clock))
      }
    }
    self = next
    return true
  }
}

@Suite("T1, I5, I15 cascades, random")
struct CascadeProperties {
  private static let names = (0..<14).map { "r\($0)" }

  @Test(arguments: 0..<UInt64(TestTier.cases(12)))
  func `visible records match a simple model after every step`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let path = try StoreKind.newPath()
    let bounds = CascadeBounds(perTransaction: generator.below(4), perStep: 1 + generator.below(3))
    var store = try SQLiteRecordStore(path: path, cascades: bounds)
    var client = try StoreClient(store)
    var plain = PlainWorld()
    var follower: [String: Change] = [:]
    var position: Int64 = 0
    for round in 0..<120 {
      if generator.percent(25) {
        _ = try client.completeCascades()
      } else if generator.percent(3) {
        store = try SQLiteRecordStore(path: path, cascades: bounds)
        client = try StoreClient(store, key: [UInt8(round)])
      } else {
        let acts = (0..<(generator.percent(60) ? 1 : 1 + generator.below(5))).map { _ in
          Self.act(&generator)
        }
        let results = try client.results(acts.map(Self.operation))
        let refusal = results.compactMap(\.refusal).first { $0.code != .batchRequestFailed }
        #expect(plain.perform(acts) == (refusal == nil), "seed \(seed), round \(round): \(acts)")
        #expect(refusal == nil || refusal?.code == .referenceViolation, "\(refusal as Any)")
      }
      #expect(
        try client.seen(among: Self.names) == Set(plain.records.keys),
        "seed \(seed), round \(round)")
      if generator.percent(30) { try Self.follow(client, &follower, &position) }
    }
    while try client.completeCascades().isMore {}
    try Self.follow(client, &follower, &position)
    #expect(Set(follower.keys) == Set(plain.records.keys), "who follows ends there too")
    for (name, change) in follower {
      #expect(Set(change.record.mentions.parents.map(\.text)) == plain.records[name]?.parents)
    }
    #expect(try BrokerArchive(path: path).findings() == [])
  }

  private static func act(_ generator: inout SeededGenerator) -> PlainWorld.Act {
    let name = generator.one(of: names)
    if generator.percent(30) { return .delete(name) }
    let parents = (0..<generator.below(3)).map { _ in generator.one(of: names) }
    return .save(name, Set(parents))
  }

  private static func operation(_ act: PlainWorld.Act) -> Operation {
    switch act {
    case .save(let name, let parents):
      .save(
        Operation.Save(
          name: RecordName(stored: name), type: RecordType(stored: "Contact"), policy: .allKeys,
          tag: nil, fields: EncodedRecord(["post": .list(parents.sorted().map(going))])))
    case .delete(let name):
      .delete(Operation.Delete(name: RecordName(stored: name), tag: nil, isForced: true))
    }
  }

  /// Reads the feed up to its head, like a device.
  private static func follow(
    _ client: StoreClient, _ records: inout [String: Change], _ position: inout Int64
  ) throws {
    while true {
      let page = try client.page(after: position)
      for change in page.changes {
        records[change.name.text] = change.kind == .saved ? change : nil
      }
      guard page.to.value > position else { return }
      position = page.to.value
    }
  }
}

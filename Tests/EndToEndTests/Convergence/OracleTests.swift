// The oracle of the random rounds finds lost values, and makes no false claims.

import Testing

@Suite("I1 the oracle of random rounds")
struct OracleTests {
  private func oracle() -> Oracle {
    var oracle = Oracle()
    oracle.note(group: "g", title: "G")
    oracle.note("Ann", group: "g")
    oracle.acknowledge(adding: "Ann")
    type(1, on: 0, into: &oracle)
    return oracle
  }

  private func type(_ operation: Int, on device: Int, into oracle: inout Oracle) {
    oracle.attempt("Ann", field: "note", device: device, operation: operation)
    oracle.acknowledge(
      Oracle.Typed(
        word: Oracle.word(operation), person: "Ann", field: "note", device: device,
        operation: operation))
  }

  private func claims(_ oracle: Oracle) -> [Int] { oracle.claims.map(\.operation) }

  @Test func `an acknowledged value is claimed, even if another device overwrote it`() {
    var oracle = oracle()
    #expect(claims(oracle) == [1])
    type(2, on: 1, into: &oracle)
    #expect(claims(oracle) == [1, 2])
  }

  @Test func `a value that the same device overwrote in the same field is not claimed`() {
    var oracle = oracle()
    oracle.attempt("Ann", field: "company", device: 0, operation: 2)
    #expect(claims(oracle) == [1])
    oracle.attempt("Ann", field: "note", device: 0, operation: 3)
    #expect(claims(oracle) == [])
  }

  @Test func `a value that a person discarded is not claimed`() {
    var oracle = oracle()
    oracle.resolve(mine: Oracle.word(1), theirs: "", person: "Ann", mayDelete: false)
    #expect(claims(oracle) == [] && oracle.lasting == ["Ann"])
  }

  @Test func `a contact lasts until an operation may have deleted it or its group`() {
    var oracle = oracle()
    #expect(oracle.lasting == ["Ann"])
    var deleted = oracle
    deleted.mayDelete("Ann", device: 1, operation: 2)
    #expect(deleted.lasting == [] && claims(deleted) == [1])
    oracle.mayDelete(group: "g")
    #expect(oracle.lasting == [] && claims(oracle) == [1])
    oracle.note("Bob", group: "g")
    oracle.acknowledge(adding: "Bob")
    #expect(oracle.lasting == [])
  }

  @Test(arguments: [false, true])
  func `before a restore, the values of a group that is deleted are not claimed`(isFirst: Bool) {
    var oracle = oracle()
    if isFirst { oracle.mayDelete(group: "g") }
    oracle.restore(operation: 3)
    #expect(claims(oracle) == (isFirst ? [] : [1]))
    type(4, on: 1, into: &oracle)
    oracle.mayDelete(group: "g")
    #expect(claims(oracle) == [4])
  }

  @Test func `a contact of a group that was deleted without its contacts may be there twice`() {
    var oracle = oracle()
    oracle.note("Bob", group: "other")
    oracle.leave(group: "g")
    #expect(oracle.persons.filter(\.value.mayBeTwice).map(\.key) == ["Ann"])
    oracle.note("Bob", group: "g")
    #expect(oracle.persons["Bob"]?.mayBeTwice == true)
  }

  @Test func `a rewind takes contacts and groups from the lists, and no value`() {
    var oracle = oracle()
    oracle.rewind()
    #expect(oracle.lasting == [] && claims(oracle) == [1])
    #expect(oracle.groups["g"]?.mayBeGone == true)
    oracle.note("Bob", group: "g")
    oracle.acknowledge(adding: "Bob")
    #expect(oracle.lasting == [])
  }

  @Test func `no word is part of another`() {
    let words = (1...200).map { Oracle.word($0) } + [Oracle.word(1, 1), Oracle.word(11, 1)]
    #expect(Set(words).count == words.count)
    #expect(!words.contains { word in words.contains { $0 != word && $0.contains(word) } })
  }

  @Test func `a seed always gives the same operations`() {
    func plan(_ seed: UInt64) -> [String] {
      var generator = SplitMix(seed: seed)
      return OperationPlan(
        count: 60, devices: 3, classes: Set(OperationClass.allCases), using: &generator
      ).operations.map(\.description)
    }
    #expect(plan(7) == plan(7))
    #expect(plan(7) != plan(8))
  }
}

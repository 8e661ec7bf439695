import Records
import Testing

@Suite("J9 kinds of failures of a store")
struct StoreErrorTests {
  @Test func `a store recovers without a change to its file only from three kinds of failure`() {
    let temporary = StoreError.Kind.allCases.filter(\.isTemporary)
    #expect(temporary == [.inUse, .unreachable, .full, .disk])
    #expect("\(StoreError(.full, "The disk is full."))" == "The disk is full.")
    #expect(StoreError(.full, "a") != StoreError(.disk, "a"))
  }
}

import Testing

@testable import AddressBook

@Suite("P7 lists decoded on several threads")
struct ConcurrentMapTests {
  private struct Failure: Error, Equatable {
    let element: Int
  }

  @Test(arguments: [0, 1, 31, 63, 64, 65, 95, 96, 97, 128, 1_000])
  func `each element is transformed once, in order`(count: Int) throws {
    let elements = Array(0..<count)
    #expect(try elements.concurrentMap { $0 * 3 } == elements.map { $0 * 3 })
  }

  @Test(arguments: [10, 500])
  func `the error of the first element that fails is thrown`(count: Int) {
    let elements = Array(0..<count)
    #expect(throws: Failure(element: 7)) {
      try elements.concurrentMap { element in
        if element >= 7 { throw Failure(element: element) }
        return element
      }
    }
  }
}

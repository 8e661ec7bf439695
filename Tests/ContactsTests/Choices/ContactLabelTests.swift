// The labels a picker shows.

import Testing

@testable import Contacts

@Suite("A4 labels")
struct ContactLabelTests {
  @Test(arguments: ContactLabel.allCases)
  func `each kind of value has its labels, none twice`(kind: ContactLabel) {
    #expect(kind.offered.count >= 3)
    #expect(Set(kind.offered).count == kind.offered.count)
    #expect(kind.offered.contains("home") && kind.offered.contains("other"))
  }
}

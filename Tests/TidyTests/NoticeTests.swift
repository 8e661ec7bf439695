// The file NOTICE, which tells users the licences of what the programs contain.

import Testing

@Suite("Notice")
struct NoticeTests {
  @Test func `the notice names each package that is pinned`() {
    let packages = SourceTree.text(at: "versions").split(separator: "\n").filter { $0.first != "#" }
      .compactMap { $0.split(separator: " ").first }
    let notice = SourceTree.text(at: "NOTICE")
    let words = Set(notice.split { !$0.isLetter && !$0.isNumber && !"-.".contains($0) })
    #expect(packages.count > 20)
    #expect(packages.filter { !words.contains($0) }.isEmpty)
  }

  @Test func `the licence is Apache's, version 2.0`() {
    #expect(SourceTree.text(at: "LICENSE").contains("Version 2.0, January 2004"))
    #expect(SourceTree.text(at: "NOTICE").contains("Apache License, Version 2.0"))
  }
}

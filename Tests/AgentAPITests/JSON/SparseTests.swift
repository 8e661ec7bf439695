import Foundation
import Testing

@testable import AgentAPI

@Suite("C10 sparse properties")
struct SparseTests {
  private struct Sample: Codable, Equatable {
    var always = ""
    @Sparse var text = ""
    @Sparse var list: [String] = []
    @Sparse var number: Int? = nil
    @Sparse var flag = false
    @Sparse var inner: GroupForm? = nil
  }

  private func text(_ sample: Sample) throws -> String {
    String(decoding: try OrderedJSON.bytes(of: sample), as: UTF8.self)
  }

  private func read(_ text: String) throws -> Sample {
    try JSONDecoder().decode(Sample.self, from: Data(text.utf8))
  }

  @Test func `empty properties are left out, by Foundation's encoder too`() throws {
    #expect(try text(Sample()) == #"{"always":""}"#)
    let encoded = try JSONEncoder().encode(Sample())
    #expect(String(decoding: encoded, as: UTF8.self) == #"{"always":""}"#)
  }

  @Test func `other values are written`() throws {
    let sample = Sample(
      always: "a", text: "b", list: [""], number: 0, flag: true, inner: GroupForm(title: ""))
    #expect(
      try text(sample)
        == #"{"always":"a","text":"b","list":[""],"number":0,"flag":true,"inner":{"title":""}}"#)
    #expect(try read(text(sample)) == sample)
  }

  @Test(arguments: [
    #"{"always":""}"#, #"{"always":"","text":null,"list":null,"number":null,"flag":null}"#,
    #"{"always":"","inner":null,"unknown":{"x":[1]}}"#,
  ])
  func `a missing key and null are read as empty`(text: String) throws {
    #expect(try read(text) == Sample())
  }

  @Test func `a value of another kind is refused`() {
    #expect(throws: DecodingError.self) { try read(#"{"always":"","list":"x"}"#) }
  }
}

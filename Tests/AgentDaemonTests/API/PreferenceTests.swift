// The settings of a device: which values are accepted.

import Records
import Testing

@testable import AgentDaemon

@Suite("values of settings")
struct PreferenceTests {
  @Test(arguments: Preference.allCases)
  func `each of its choices is accepted, and the same with any other letter is not`(
    preference: Preference
  ) {
    for choice in preference.choices {
      #expect(preference.refusal(of: choice) == nil)
      #expect(preference.refusal(of: choice + " ")?.code == .invalidArguments)
      #expect(preference.refusal(of: choice.uppercased() + "x") != nil)
    }
    #expect(preference.refusal(of: "") != nil)
    #expect(!preference.meaning.isEmpty)
  }

  @Test func `the sentence about a wrong value quotes a part of it, and names the choices`() throws
  {
    for preference in Preference.allCases where !preference.choices.isEmpty {
      let error = try #require(preference.refusal(of: String(repeating: "x", count: 10_000)))
      #expect(error.message.utf8.count < 300)
      #expect(error.field == preference.rawValue)
      for choice in preference.choices { #expect(error.message.contains(choice)) }
    }
  }

  @Test(arguments: [
    ("/", true), ("/home/ada/Pictures", true), ("/ä 李", true), ("relative", false),
    ("~/x", false), ("", false), ("/a\nb", false), ("/a\u{0}b", false), ("/a\u{7F}", false),
  ])
  func `an album is an absolute path without control characters`(path: String, isPath: Bool) {
    #expect((Preference.album.refusal(of: path) == nil) == isPath)
  }

  @Test func `an album's path has the length that the system allows`() {
    let longest = "/" + String(repeating: "a", count: 4095)
    #expect(Preference.album.refusal(of: longest) == nil)
    #expect(Preference.album.refusal(of: longest + "a") != nil)
  }
}

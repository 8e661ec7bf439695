import Foundation
import Processes
import Testing

extension EndToEnd {
  @Suite("A2 settings on the command line")
  struct ConfigCommandTests {
    private struct Setting: Decodable {
      let key: String
      let value: String
    }

    @Test func `a setting is set, read, listed and reset, as text and as JSON`() async throws {
      let device = try await Device("desk", brokerPath: "/nowhere/b.sock")
      let former = try await device.control("config", "get", "sort")
      #expect(former.status == 0 && former.output == "last\n")

      let set = try await device.control("config", "set", "sort", "first")
      #expect(set.status == 0 && set.output.isEmpty, "\(set.output)")
      #expect(try await device.control("config", "get", "sort").output == "first\n")
      let list = try await device.control("config", "list")
      #expect(list.output.contains("\nsort\tfirst\t") || list.output.hasPrefix("sort\tfirst\t"))

      let reset = try await device.control("config", "unset", "sort")
      #expect(reset.status == 0 && reset.output.isEmpty, "\(reset.output)")
      #expect(try await device.control("config", "get", "sort").output == "last\n")

      for line in [["set", "sort", "first"], ["get", "sort"], ["unset", "sort"]] {
        let result = try await device.control(arguments: ["config"] + line + ["--json"])
        let setting = try JSONDecoder().decode(Setting.self, from: Data(result.output.utf8))
        #expect(setting.key == "sort" && setting.value == (line[0] == "unset" ? "last" : "first"))
      }
    }
  }
}

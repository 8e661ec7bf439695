import AgentAPI
import Testing

@testable import ControlCommands

@Suite("C12 settings on a terminal")
struct ConfigCommandTests {
  private func setting(_ key: String, _ value: String) -> SettingView {
    SettingView(key: key, value: value, source: "started", choices: [], meaning: "")
  }

  @Test func `without a language of the agent, a terminal shows its own, and a program “und”`() {
    let none = setting("locale", "und")
    let swedish = ["LANG": "sv_SE.UTF-8"]
    #expect(none.value(in: .terminal, environment: swedish) == "sv-SE (this terminal's)")
    for environment in [[:], ["LC_ALL": "C.UTF-8", "LANG": "sv_SE.UTF-8"]] {
      #expect(none.value(in: .terminal, environment: environment) == "none")
    }
    #expect(none.value(in: .plain, environment: swedish) == "und")
  }

  @Test func `other values are shown as they are`() {
    #expect(setting("locale", "de").value(in: .terminal, environment: [:]) == "de")
    #expect(setting("device", "und").value(in: .terminal, environment: [:]) == "und")
  }
}

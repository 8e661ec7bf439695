import PredicateWorld
import Testing

@testable import ControlCommands

@Suite("numbers in sentences")
struct QuantityTests {
  @Test(
    arguments: [
      (0, "0"), (7, "7"), (999, "999"), (1000, "1,000"), (19_949, "19,949"),
      (100_000, "100,000"), (1_234_567, "1,234,567"), (-1000, "-1,000"),
      (.min, "-9,223,372,036,854,775,808"),
    ] as [(Int, String)])
  func `a comma separates groups of three digits`(number: Int, text: String) {
    #expect(Quantity.text(number) == text)
  }

  @Test func `only one is singular`() {
    #expect(Quantity.text(1, "contact") == "1 contact")
    #expect(Quantity.text(0, "contact") == "0 contacts")
    #expect(Quantity.text(1001, "contact") == "1,001 contacts")
  }

  @Test func `any number is read back from its groups`() {
    for seed in UInt64(1)...200 {
      var generator = SeededGenerator(seed: seed)
      let number = Int(truncatingIfNeeded: generator.next()) >> generator.below(64)
      let text = Quantity.text(number)
      #expect(Int(text.replacing(",", with: "")) == number, "seed \(seed)")
      #expect(text.wholeMatch(of: /-?[0-9]{1,3}(,[0-9]{3})*/) != nil, "seed \(seed): \(text)")
    }
  }
}

/// Numbers in sentences for people.
enum Quantity {
  /// Returns `number` with a comma between groups of three digits: 19,949.
  static func text(_ number: Int) -> String {
    let digits = Array(String(number.magnitude))
    var text = number < 0 ? "-" : ""
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.count - index).isMultiple(of: 3) { text.append(",") }
      text.append(digit)
    }
    return text
  }

  /// Returns the number with a noun that takes an “s” in the plural.
  static func text(_ number: Int, _ noun: String) -> String {
    "\(text(number)) \(noun)\(number == 1 ? "" : "s")"
  }
}

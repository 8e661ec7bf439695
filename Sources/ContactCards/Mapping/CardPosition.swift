// `GEO`: where somebody is. 3.0 writes latitude and longitude with a semicolon between them, 4.0 as an
// address of the scheme `geo` (RFC 5870). A contact keeps the property as it was read; it is converted on
// the way out, because a program that knows one form does not know the other.

/// Conversion of positions between the versions of the format.
enum CardPosition {
  /// `property` as `version` writes it; anything but a position is returned unchanged, and so is a
  /// position that cannot be read.
  static func converted(_ property: CardProperty, to version: CardVersion) -> CardProperty {
    guard property.name.isSame(as: "GEO") else { return property }
    guard let position = position(property.value) else { return property }
    var converted = property
    switch version {
    case .two, .three:
      converted.value = "\(position.latitude);\(position.longitude)"
      converted.take("VALUE")
    case .four:
      let isAddress = property.value.lowercased().hasPrefix(scheme)
      if !isAddress { converted.value = "\(scheme)\(position.latitude),\(position.longitude)" }
    }
    return converted
  }

  private static let scheme = "geo:"

  private static func position(_ value: String) -> (latitude: Substring, longitude: Substring)? {
    let isAddress = value.lowercased().hasPrefix(scheme)
    // `geo:` may go on with an altitude and with parameters, for which 3.0 has no place.
    let numbers =
      isAddress
      ? value.dropFirst(scheme.count).prefix { $0 != ";" }.split(separator: ",").prefix(2)
      : CardText.unescaped(value).split(separator: ";", omittingEmptySubsequences: false)[...]
    guard numbers.count == 2, let latitude = numbers.first, let longitude = numbers.last,
      isNumber(latitude, limit: 90), isNumber(longitude, limit: 180)
    else { return nil }
    return (trimmed(latitude), trimmed(longitude))
  }

  private static func isNumber(_ text: Substring, limit: Double) -> Bool {
    let number = trimmed(text)
    guard number.utf8.allSatisfy({ "+-.0123456789".utf8.contains($0) }) else { return false }
    return Double(number).map { abs($0) <= limit } ?? false
  }

  private static func trimmed(_ text: Substring) -> Substring {
    var text = text
    while text.first == " " { text.removeFirst() }
    while text.last == " " { text.removeLast() }
    // RFC 5870 knows no plus sign.
    return text.first == "+" ? text.dropFirst() : text
  }
}

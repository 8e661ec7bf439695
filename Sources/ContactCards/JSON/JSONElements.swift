// Splits a stream of JSON into contacts, buffering one at a time: the items of an array, the items under
// `contacts`, or a sequence of values. It counts brackets only; each element is parsed later, so one invalid
// element does not affect the others.

/// Splits a stream of JSON into elements.
struct JSONElements: Sendable {
  /// The text of one element.
  struct Element: Hashable, Sendable {
    /// Its first line.
    var line: Int
    /// Its text.
    var bytes: [UInt8]
    /// Whether it was truncated because of its length.
    var isCut: Bool
  }

  private enum Root: Sendable {
    case none
    /// A list: the elements are its items.
    case list
    /// An object whose list has not been found yet (`false`) or has been found (`true`).
    case object(hasList: Bool)
    /// The value itself is the element.
    case element
  }

  private static let elementBytesMax = CardLimits.cardBytesWithMedia
  private var root = Root.none
  private var brackets: [UInt8] = []
  private var isInString = false
  private var isEscaped = false
  private var lastString: [UInt8] = []
  private var rootKey: [UInt8] = []
  private var line = 1
  private var element = Element(line: 1, bytes: [], isCut: false)
  private var isInElement = false
  private var isAwaitingList = false
  private var done: [Element] = []

  /// Reads a chunk and returns the elements that it completes.
  mutating func feed(_ chunk: some Sequence<UInt8>) -> [Element] {
    for byte in chunk { take(byte) }
    defer { done = [] }
    return done
  }

  /// Ends the stream; returns an incomplete element.
  mutating func finish() -> Element? {
    guard isInElement || !brackets.isEmpty, !element.bytes.isEmpty else { return nil }
    return element
  }

  private mutating func take(_ byte: UInt8) {
    if byte == UInt8(ascii: "\n") { line += 1 }
    if isInElement || isHoldingRoot { keep(byte) }
    if isInString { return takeInString(byte) }
    switch byte {
    case UInt8(ascii: "\""):
      isInString = true
      lastString = []
      if isAwaitingList { settleList(isList: false) }
    case UInt8(ascii: "["), UInt8(ascii: "{"): open(byte)
    case UInt8(ascii: "]"), UInt8(ascii: "}"): close()
    case UInt8(ascii: ":") where brackets.count == 1: rootKey = lastString
    default: break
    }
  }

  private mutating func takeInString(_ byte: UInt8) {
    if isEscaped {
      isEscaped = false
    } else if byte == UInt8(ascii: "\\") {
      isEscaped = true
    } else if byte == UInt8(ascii: "\"") {
      isInString = false
    } else if lastString.count < 64 {
      lastString.append(byte)
    }
  }

  /// Whether the root may itself be a contact.
  private var isHoldingRoot: Bool {
    if case .object(hasList: false) = root { true } else { isAwaitingList }
  }

  private mutating func open(_ byte: UInt8) {
    if isAwaitingList { settleList(isList: true) }
    if brackets.isEmpty {
      element = Element(line: line, bytes: [byte], isCut: false)
      isAwaitingList = byte == UInt8(ascii: "[")
      root = isAwaitingList ? .none : .object(hasList: false)
    } else if brackets == [UInt8(ascii: "{")], byte == UInt8(ascii: "["),
      rootKey == Array("contacts".utf8)
    {
      root = .object(hasList: true)
    } else if beginsElement {
      element = Element(line: line, bytes: [byte], isCut: false)
      isInElement = true
    }
    // A file that consists of brackets only contains no contacts.
    if brackets.count < 1024 { brackets.append(byte) }
  }

  private var beginsElement: Bool {
    guard !isInElement else { return false }
    return switch root {
    case .list: brackets.count == 1
    case .object(hasList: true): brackets.count == 2
    case .none, .object, .element: false
    }
  }

  /// An array whose first item is a text is a card; any other array is a list of cards.
  private mutating func settleList(isList: Bool) {
    isAwaitingList = false
    root = isList ? .list : .element
    isInElement = !isList
  }

  private mutating func close() {
    if isAwaitingList { settleList(isList: true) }
    guard brackets.popLast() != nil else { return }
    let elementDepth =
      switch root {
      case .list: 1
      case .object(hasList: true): 2
      case .none, .object, .element: 0
      }
    if isInElement, brackets.count == elementDepth {
      done.append(element)
      isInElement = false
    }
    guard brackets.isEmpty else { return }
    if case .object(hasList: false) = root { done.append(element) }
    root = .none
    isInElement = false
    element.bytes = []
  }

  private mutating func keep(_ byte: UInt8) {
    if element.bytes.count < Self.elementBytesMax {
      element.bytes.append(byte)
    } else {
      element.isCut = true
    }
  }
}

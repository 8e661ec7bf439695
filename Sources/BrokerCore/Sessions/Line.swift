// A queue: an array whose first elements are given up as they leave, so that neither end costs a move of
// the others.

/// Elements in the order they came, of which the first leaves first.
struct Line<Element> {
  private var elements: [Element?] = []
  private var first = 0

  var isEmpty: Bool { first == elements.count }

  /// The first element, which stays.
  var next: Element? { isEmpty ? nil : elements[first] }

  mutating func append(_ element: Element) { elements.append(element) }

  mutating func popFirst() -> Element? {
    guard !isEmpty else { return nil }
    let element = elements[first]
    elements[first] = nil
    first += 1
    // Half of the places at least are empty, so each element is moved once on average.
    if first * 2 > elements.count {
      elements.removeFirst(first)
      first = 0
    }
    return element
  }
}

extension Line: Sendable where Element: Sendable {}

/// The folded forms of long texts inside a record's lists and entries. Each text is folded once for
/// each combination of options, however many predicates read it.
struct ElementForms: ~Copyable {
  /// The forms, by address and options of their text.
  private var forms: [UInt: ValueView] = [:]
  private var arena = ByteArena()

  init() {}

  /// Returns the text at `start` folded under `options`; `nil` if it was not added.
  func find(_ start: UnsafePointer<UInt8>, _ options: TextOptions) -> ValueView? {
    forms[Self.key(start, options)]
  }

  /// Copies `form`, which is the text at `start` folded under `options`, and returns the copy. The copy is
  /// valid until `removeAll()`.
  mutating func add(
    _ form: UnsafeBufferPointer<UInt8>, of start: UnsafePointer<UInt8>, _ options: TextOptions
  ) -> ValueView {
    let copy = arena.allocate(form.count)
    _ = copy.initialize(fromContentsOf: form)
    let view = ValueView(.text, start: UnsafePointer(copy.baseAddress), count: copy.count)
    forms[Self.key(start, options)] = view
    return view
  }

  /// Removes all forms.
  mutating func removeAll() {
    guard !forms.isEmpty else { return }
    forms.removeAll(keepingCapacity: forms.count < 1024)
    arena.reset()
  }

  private static func key(_ start: UnsafePointer<UInt8>, _ options: TextOptions) -> UInt {
    UInt(bitPattern: start) << 2 | UInt(options.rawValue)
  }
}

import Records

/// The functions with which an index assigns symbols to the constants of predicates.
package struct SymbolSource {
  /// Returns the symbol of a value in a slot; `nil` to compare the value itself.
  package let symbol: (_ slot: UInt16, _ value: ValueView) -> UInt32?
  /// Returns the symbol of a word, for `self CONTAINS`.
  package let word: (_ word: UnsafeBufferPointer<UInt8>) -> UInt32
  /// Returns the slot for the elements of a field's list, or for one part of the entries of a field.
  package let elementSlot:
    (
      _ table: inout FieldTable, _ field: UInt16, _ part: [UInt8], _ options: TextOptions
    ) throws(RecordsError) -> UInt16

  package init(
    symbol: @escaping (UInt16, ValueView) -> UInt32?,
    word: @escaping (UnsafeBufferPointer<UInt8>) -> UInt32,
    elementSlot:
      @escaping (inout FieldTable, UInt16, [UInt8], TextOptions) throws(RecordsError) ->
      UInt16
  ) {
    self.symbol = symbol
    self.word = word
    self.elementSlot = elementSlot
  }
}

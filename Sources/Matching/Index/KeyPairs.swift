// Hot keys. If hundreds of predicates are filed under one key, most of them usually test a second
// equality too: `city == 'Stockholm' AND state == …`. Those are filed under the pair of both values, so
// that a record finds only the predicates that agree with it in two fields. The signature of a posting
// names the second value.

import Predicates

extension Partition {
  /// The length at which a posting list is split by the second equality of its predicates.
  static let hotListCount: UInt32 = 512

  /// Moves those postings of the symbol `number` that have a signature to the lists of their pairs.
  func splitIntoPairs(_ number: UInt32) {
    let slot = symbols[number].slot
    guard slot < 64, symbols[number].kind <= KeyKind.reference,
      uses[Int(slot)].kinds & SlotUse.Kinds.ofElements == 0
    else { return }
    symbols.symbols.base[Int(number)].hasPairs = 1
    var position = 0
    while position < Int(symbols[number].listCount) {
      let posting = lists.postings[Int(symbols[number].list) + position]
      if let pair = pair(of: number, with: posting.signature) {
        move(posting.block, at: UInt32(position), from: number, to: pair)
      } else {
        position += 1
      }
    }
  }

  /// Returns the symbol of a pair key, with a new reference. The pair consists of the symbol `number` and
  /// the second equality in `signature`. Returns `nil` if there is no second equality or its slot is 64
  /// or higher, because `SlotUse.partners` has 64 bits.
  func pair(of number: UInt32, with signature: UInt32) -> UInt32? {
    let partner = UInt16(signature & 0xFF)
    guard signature != 0, partner < 64 else { return nil }
    let slot = symbols[number].slot
    uses.base[Int(slot)].partners |= 1 << UInt64(partner)
    let bits = UInt64(number) << 32 | UInt64(signature)
    return symbols.acquire(SymbolKey(KeyKind.pair, slot: slot, bits: bits))
  }
}

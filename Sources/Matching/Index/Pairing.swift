// Where thousands of predicates wait behind one key, most of them usually ask for a second equality
// too: `city == 'Stockholm' AND state == …`. Those are filed under both at once, so that a record
// meets only the ones that fit it in two fields. The signature of a posting names the second one.

import Predicates

extension Partition {
  /// From so many predicates on, a key's list is divided by their second equality.
  static let hotListCount: UInt32 = 512

  /// Moves those of a list that have a signature to lists of their pairs.
  func pairUp(_ number: UInt32) {
    let slot = symbols[number].slot
    guard slot < 64, symbols[number].kind <= KeyKind.reference,
      uses[Int(slot)].kinds & SlotUse.Kinds.ofElements == 0
    else { return }
    symbols.symbols.base[Int(number)].hasPairs = 1
    var position = 0
    while position < Int(symbols[number].listCount) {
      let posting = postings[Int(symbols[number].list) + position]
      if let pair = pair(of: number, with: posting.signature) {
        move(posting.block, at: UInt32(position), from: number, to: pair)
      } else {
        position += 1
      }
    }
  }

  /// The symbol of a pair for one more who needs it; `nil` where the signature names no partner.
  func pair(of number: UInt32, with signature: UInt32) -> UInt32? {
    let partner = UInt16(signature & 0xFF)
    guard signature != 0, partner < 64 else { return nil }
    let slot = symbols[number].slot
    uses.base[Int(slot)].partners |= 1 << UInt64(partner)
    let bits = UInt64(number) << 32 | UInt64(signature)
    return symbols.acquire(SymbolKey(KeyKind.pair, slot: slot, bits: bits))
  }
}

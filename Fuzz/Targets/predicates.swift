// modules: Records Predicates CMemory Matching
//
// Whatever text is given for a predicate, reading it ends with a tree or with a column. What was
// read prints as something that reads back the same; its normal form answers as it does; and an
// index answers as running it does, for a record that is made of the input too, valid or not.

import Glibc
import Matching
import Predicates
import Records

/// One input: its first byte says how much of the rest is a predicate; what follows is a record.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzPredicates(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  guard count > 1 else { return 0 }
  let bytes = Array(UnsafeBufferPointer(start: start + 1, count: count - 1))
  let textCount = bytes.count * (Int(start[0]) + 1) / 256
  let text = String(decoding: bytes.prefix(textCount), as: UTF8.self)
  let arguments: [Value] = [.string("x"), .int64(1), .list([.int64(1), .string("x")])]
  let wanted = text.utf8.split(separator: UInt8(ascii: "%")).count - 1
  do {
    let predicate = try Predicate(text, arguments: Array(arguments.prefix(max(0, wanted))))
    check(predicate)
    check(predicate, on: record(of: Array(bytes.dropFirst(textCount))))
  } catch {
    require(!error.message.isEmpty, "An error says nothing.")
  }
  return 0
}

/// Ends the process with a sentence, which an optimized `precondition` does not print.
private func require(_ condition: Bool, _ sentence: @autoclosure () -> String) {
  guard !condition else { return }
  let bytes = Array((sentence() + "\n").utf8)
  _ = bytes.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
  preconditionFailure("See above.")
}

private func check(_ predicate: Predicate) {
  let printed = predicate.description
  guard printed.utf8.count <= PredicateLimits.textBytes else { return }
  let again = try? Predicate(printed)
  require(again?.description == printed, "“\(printed)” reads back as something else.")
  let normalised = predicate.normalised()
  require(normalised.normalised() == normalised, "The normal form of “\(printed)” is none.")
}

private func check(_ predicate: Predicate, on record: EncodedRecord) {
  let origin = Origin(account: AccountID(1), device: DeviceID(1), request: RequestNumber(1))
  let stamp = Stamp(time: Timestamp(microseconds: 0), origin: origin)
  let system = SystemFields(name: RecordName(stored: "x"), created: stamp, modified: stamp)
  let type = RecordType(stored: "T")
  let index = SubscriptionIndex()
  guard !predicate.usesNow,
    var evaluator = try? PredicateEvaluator(predicate, now: nil),
    let number = try? index.insert(
      predicate, scope: .publicDatabase, type: type, options: .creation)
  else { return }
  let expected = (try? evaluator.matches(record, system)) ?? false
  // Enough others that the predicate is filed under its keys.
  for filler in 0..<70 {
    let other = Predicate.comparison(
      Comparison(.field("filler"), .equal, .value(.int64(Int64(filler)))))
    _ = try? index.insert(other, scope: .publicDatabase, type: type, options: .creation)
  }
  var list = MatchList()
  let state = RecordState(system: system, record: record)
  index.match(
    RecordEvent(scopes: [.publicDatabase], type: type, old: nil, new: state), into: &list)
  let isFound = list.matches.contains { $0.number == number.value }
  require(
    isFound == expected || !list.unknown.isEmpty,
    "The index and a run differ about “\(predicate)”.")
}

/// Half of the inputs are taken as a record's bytes as they are, half as the text of its fields.
private func record(of bytes: [UInt8]) -> EncodedRecord {
  guard let first = bytes.first, first & 1 == 0 else { return EncodedRecord(stored: bytes) }
  var fields = Fields()
  let pieces = bytes.dropFirst().split(separator: 10)
  for (piece, key) in zip(pieces, ["a", "b", "c", "n", "tags"]) {
    let text = String(decoding: piece, as: UTF8.self)
    let value = Int64(text).map(Value.int64) ?? .string(text)
    fields[FieldKey(stored: key)] = key == "tags" ? .list([value, .string("x")]) : value
  }
  return EncodedRecord(fields)
}

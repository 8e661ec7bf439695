// modules: Records Predicates CMemory Matching
//
// Checks the predicate parser with any text. Parsing ends with a predicate or with an error at a column. A
// parsed predicate prints as text that parses to the same predicate, and normalizing its normal form
// changes nothing. The subscription index gives the same answer as evaluation, for a record that is also
// made from the input, valid or not.

import Glibc
import Matching
import Predicates
import Records

/// Runs one input: the first byte gives the share of the rest that is a predicate; the remainder is a
/// record.
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
    require(!error.message.isEmpty, "An error has no message.")
  }
  return 0
}

/// Ends the process and prints `sentence`, which an optimized `precondition` would not print.
private func require(_ condition: Bool, _ sentence: @autoclosure () -> String) {
  guard !condition else { return }
  let bytes = Array((sentence() + "\n").utf8)
  _ = bytes.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
  preconditionFailure("The sentence above describes the failure.")
}

private func check(_ predicate: Predicate) {
  let printed = predicate.description
  guard printed.utf8.count <= PredicateLimits.textBytes else { return }
  let again = try? Predicate(printed)
  require(again?.description == printed, "“\(printed)” parses to another predicate.")
  let normalised = predicate.normalised()
  require(normalised.normalised() == normalised, "The normal form of “\(printed)” is not stable.")
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
  // Enough other subscriptions that the index uses keys: up to 64 in a partition are all evaluated.
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
    "The index and evaluation differ about “\(predicate)”.")
}

/// Returns a record made from `bytes`: half of the inputs are the record's bytes, half the text of its
/// fields.
private func record(of bytes: [UInt8]) -> EncodedRecord {
  guard let first = bytes.first, first & 1 == 0 else { return EncodedRecord(stored: bytes) }
  var fields = Fields()
  let texts = bytes.dropFirst().split(separator: 10)
  for (bytes, key) in zip(texts, ["a", "b", "c", "n", "tags"]) {
    let text = String(decoding: bytes, as: UTF8.self)
    let value = Int64(text).map(Value.int64) ?? .string(text)
    fields[FieldKey(stored: key)] = key == "tags" ? .list([value, .string("x")]) : value
  }
  return EncodedRecord(fields)
}

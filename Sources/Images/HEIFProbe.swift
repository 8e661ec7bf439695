// Probes HEIC and AVIF files, which consist of nested boxes (ISO 14496-12): a length, four letters, a
// content. The size of a picture is in `ispe` boxes. A picture in tiles has several; the largest is that of
// the whole picture. Boxes are followed three levels deep along one path, and each is longer than its header,
// so a hostile file costs no more than its length.

/// Probes HEIC and AVIF files.
enum HEIFProbe {
  private static let path = ["meta", "iprp", "ipco"]

  /// Returns the format that the first box names; `nil` if it names none of these.
  static func format(of bytes: ImageBytes) -> ImageProbe.Format? {
    guard bytes.text(4, 4) == "ftyp", let length = bytes.big(0, 4), length >= 16,
      length <= 4096
    else { return nil }
    let brands = [8] + Array(stride(from: 16, to: length - 3, by: 4))
    // Both formats often name the generic brand first.
    let named = Set(brands.compactMap { bytes.text($0, 4) })
    if !named.isDisjoint(with: ["avif", "avis"]) { return .avif }
    return named.isDisjoint(with: ["heic", "heix", "heim", "heis", "hevc", "mif1"]) ? nil : .heic
  }

  /// Returns the size of the whole picture.
  static func size(of bytes: ImageBytes) -> (width: Int, height: Int)? {
    var range = 0..<bytes.count
    for name in path {
      guard let box = boxes(in: range, of: bytes).first(where: { $0.name == name }) else {
        return nil
      }
      // `meta` has a version and flags before its boxes.
      let start = box.content.lowerBound + (name == "meta" ? 4 : 0)
      guard start <= box.content.upperBound else { return nil }
      range = start..<box.content.upperBound
    }
    var largest: (width: Int, height: Int)?
    for box in boxes(in: range, of: bytes) where box.name == "ispe" {
      guard let width = bytes.big(box.content.lowerBound + 4, 4),
        let height = bytes.big(box.content.lowerBound + 8, 4)
      else { continue }
      // Compared by sides, so that nothing is multiplied before it is known to be small.
      if let known = largest, max(width, height) <= max(known.width, known.height) { continue }
      largest = (width, height)
    }
    return largest
  }

  private static func boxes(
    in range: Range<Int>, of bytes: ImageBytes
  ) -> [(name: String, content: Range<Int>)] {
    var found: [(name: String, content: Range<Int>)] = []
    var index = range.lowerBound
    while let length = bytes.big(index, 4), let name = bytes.text(index + 4, 4), length >= 8 {
      let end = min(range.upperBound, index + length)
      guard index + 8 <= end else { return found }
      found.append((name, index + 8..<end))
      index = end
      guard index < range.upperBound else { return found }
    }
    return found
  }
}

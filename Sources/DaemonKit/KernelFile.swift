import Glibc

/// A file of `/proc`, whose content the kernel writes while it is read.
enum KernelFile {
  private static let chunkBytes = 65536

  /// Returns the content of the file at `path`; empty if it cannot be read.
  static func text(of path: String) -> String {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return "" }
    defer { close(descriptor) }
    var content: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: chunkBytes)
    while true {
      let count = read(descriptor, &chunk, chunk.count)
      guard count > 0 else { return String(decoding: content, as: UTF8.self) }
      content += chunk[..<count]
    }
  }
}

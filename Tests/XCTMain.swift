// The main program of all tests. SwiftPM would write one itself, but for that it searches all tests with an index, which
// costs a build more than this file.

import Testing

@main
enum TestProgram {
  static func main() async {
    await __swiftPMEntryPoint() as Never
  }
}

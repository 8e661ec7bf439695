@main struct ControlMain {
  static func main() {}
}

@main struct AgentMain {
  static func main() {}
}

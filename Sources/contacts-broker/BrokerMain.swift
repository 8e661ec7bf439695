@main struct BrokerMain {
  static func main() {}
}

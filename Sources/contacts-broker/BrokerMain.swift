// The process `contacts-broker`.

import BrokerDaemon

@main
enum BrokerMain {
  static func main() async {
    await BrokerProgram.run()
  }
}

// The process `contacts-broker`.

import ArgumentParser
import BrokerDaemon

@main
enum BrokerMain {
  static func main() async {
    await BrokerCommand.main()
  }
}

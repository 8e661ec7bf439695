import AgentAPI
import Hummingbird

extension AgentRoutes {
  func addWebRoute(to router: Router<BasicRequestContext>) {
    router.post(AgentPath.webOpen.route) { _, _ in try await Response.json(web.open()) }
  }
}

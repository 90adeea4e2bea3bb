import SwiftUI

@main
struct ShopApp: App {
    var body: some Scene { WindowGroup { OrderList() } }
}

struct OrderList: View {
    var body: some View { Text("none") }
}

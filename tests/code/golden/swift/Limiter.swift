import Foundation
import class UIKit.UIView
@testable import Shop

/// How much a caller has left.
@MainActor
public final class Limiter<T: Clock>: Base, Countable, Named where T: Sendable {
    public static let limit = 10
    private var clock: T
    @Published var store = DiskStore()
    weak var delegate: LimiterDelegate?
    var half: Int { size / 2 }

    init(clock: T, size: Int = 3) throws {
        self.clock = clock
        super.init()
    }

    deinit { print("gone") }

    @discardableResult
    func take(_ count: Int, by who: String?) async throws -> Order {
        guard count < 3 else { throw Refusal.empty }
        let order: Order = Order(count: count)
        let made = Order(count)
        try await store.save(order).now()
        delegate?.limiter(self, didTake: count)
        self.clock.tick()
        items.map { $0.go() }.filter { item in item.isOpen }
        do {
            try check()
        } catch let error as StoreError {
            log(error)
        } catch Refusal.late {
        }
        throw Refusal("late")
    }

    static func make() -> Limiter { Limiter(clock: Still()) }

    subscript(at: Int) -> Int { return at }

    enum State: String, Codable {
        case open = "a", closed
        case half(Int)

        func flip() -> State { .closed }
    }
}

public protocol Countable: AnyObject, Named {
    associatedtype Item
    var count: Int { get }
    func add(_ more: Int) -> Int
}

extension Limiter: Codable where T: Codable {
    func encode(to encoder: Encoder) throws {}

    struct Key { let name: String }
}

extension Shop.Cart {
    func clear() {}
}

public struct Point: Equatable {
    var x = 1, y: Int

    static func == (a: Point, b: Point) -> Bool { true }
}

actor Keeper {
    func keep(_ points: [Point]) {}
}

typealias Done = (Int) -> Void
let shared: Keeper = Keeper()

func top(orders: [Order], done: Done, cart: Shop.Cart) -> Int? {
    func nested() {}
    nested()
    return cart.total(orders)
}

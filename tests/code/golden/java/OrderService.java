package shop.orders;

import java.util.List;
import java.util.*;
import static shop.Money.round;
import static shop.Rates.*;

/** Beställningar. */
@Service("orders")
public class OrderService<T extends Order> extends base.Service<T> implements Reader<T>, Closeable {
    public static final int LIMIT = 10, WINDOW = 60;
    @Autowired
    private OrderStore store;
    private final Map<String, T> cache = new HashMap<>();

    public OrderService(OrderStore store) {
        super(store);
        this.store = store;
    }

    @Override
    @Transactional(readOnly = true)
    public <K extends Key> List<T> find(final K key, @Param("ö") String... names) throws NotFound, IOException {
        var client = new net.Client(key);
        Runnable later = () -> client.send(names);
        try (Session session = open(key)) {
            return store.load(session).stream().map(Order::total).map(Line::new).toList();
        } catch (Timeout | shop.Busy err) {
            throw new OrderFailed("försök igen", err);
        }
    }

    public T find(String id) { return cache.get(id); }

    public T find(int id) {
        if (store instanceof CachedStore cached) { return (T) cached.take(id); }
        for (Line line : store.lines()) { round(line.price); }
        return null;
    }

    static class Entry<V> {
        V value;

        class Deep { void touch() { value.hashCode(); } }
    }
}

interface Reader<T> extends Source<T>, AutoCloseable {
    int SIZE = 4;

    T find(String id);

    default void warm() { find("x"); }
}

enum State implements Labelled {
    OPEN("öppen") { @Override public String label() { return super.label(); } },
    CLOSED;

    private String text;

    State() { this("?"); }

    State(String text) { this.text = text; }
}

record Point(int x, Unit unit) implements Shape {
    Point { check(x); }

    static Point zero() { return new Point(0, Unit.MM); }
}

@interface Param {
    String value() default "";
}

using System;
using System.Collections.Generic;
using static Shop.Money;
using Rows = Shop.Data.RowSet;
global using Shop.Common;

namespace Shop.Orders
{
    /// <summary>Beställningar.</summary>
    [ApiController, Route("orders")]
    public partial class OrderService<T> : ServiceBase<T>, IReader<T>, Shop.IDisposable where T : Order, new()
    {
        public const int Limit = 10, Window = 60;
        private readonly IStore _store;
        [Inject] public Clock? Clock { get; set; } = new();
        public int Count => _store.Count();
        public event EventHandler Changed;

        public OrderService(IStore store, [FromServices] ILogger log) : base(store)
        {
            _store = store;
            this.queue = new JobQueue<T>(Limit);
        }

        [HttpGet("{id}")]
        public async Task<T?> Find<K>(K key, CancellationToken token = default, params string[] names)
        {
            var client = new Net.Client(key);
            var row = await _store.LoadAsync<Row>(key, token);
            Order order = new();
            using var session = Open(key);
            try { client?.Send(order); }
            catch (TimeoutException err) when (err.Data != null) { throw new OrderFailed("försök igen", err); }
            foreach (Line line in order.Lines) { Round(line.Price); }
            if (row is Draft draft) { draft.Close(); }
            int Local(int step) => step + 1;
            return this.Cast<T>(row as T ?? throw new NotFound());
        }

        public T Find(string id) => default;

        public T Find(int id) => default;

        void IReader<T>.Warm() { base.Warm(typeof(T)); }

        public static OrderService<T> operator +(OrderService<T> left, T right) => left;

        private class Entry { public string Value = "ö"; }
    }

    public interface IReader<T> : ISource<T>
    {
        T Find(string id);
    }

    public enum State { Open = 1, Closed }

    public struct Point : IShape { public int X; }

    public record Money(decimal Amount, Currency Unit) : Value(Amount), IComparable;

    public class Repeat(IStore store, int times) : Job(times) { }

    public delegate void Changed(object sender, Order order);
}

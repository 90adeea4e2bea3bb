library shop;

import 'dart:io';
import 'package:shop/store.dart' show Disk, Memory;
import 'package:shop/clock.dart' as clocks;
import '../model.dart' hide Draft;
export 'src/limits.dart';
part 'limiter.g.dart';

/// How much a caller has left.
@immutable
@JsonSerializable(explicit: true)
abstract class Limiter<T extends Clock> extends Base<T> with Loud, Quiet implements Countable {
  static const int limit = 10;
  final T clock;
  late Store? _store;
  var disk = Disk();

  Limiter(this.clock, {required this.size, int most = 3}) : super(clock);
  const Limiter.named(int size) : this(size);
  factory Limiter.from(Map<String, dynamic> json) => Limiter(json['a']);

  int get half => size ~/ 2;
  set half(int value) {
    size = value;
  }

  @override
  Future<Order> take(int count, [String? who]) async {
    if (count > 3) throw Refusal('none');
    Order order = Order(count);
    final made = new Order.empty();
    await clock.now().tick(1);
    _store?.save(order);
    this.items.map((item) => item.go()).toList();
    super.take(count);
    disk..open()..close(3);
    clocks.run(3);
    try {
      check();
    } on StoreError catch (error) {
      log(error);
    }
    return order;
  }

  static Limiter make() => Limiter(Still());
  bool operator ==(Object other) => true;
  void add(int more);
}

mixin Loud on Base implements Named {
  void shout() {}
}

extension LimiterMore on Limiter {
  int more(int count) => count;
}

abstract interface class Countable {
  int get count;
}

enum Level implements Named {
  low(1),
  high(2);

  const Level(this.rank);
  final int rank;
  int up() => rank + 1;
}

typedef Done = void Function(int);
class Alias = Base with Loud;

const int top = 3;
final shared = Disk();

void main(List<String> args) {
  void nested() {}
  nested();
  runApp(MyApp());
}

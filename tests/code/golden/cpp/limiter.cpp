#include <vector>
#include "limiter.hpp"

using namespace std;
using std::string;
namespace fs = std::filesystem;

#define TWICE(a) ((a) + (a))

namespace shop::limits {

/// How much a caller has left.
template <typename T, int N = 3>
class [[nodiscard]] Limiter final : public Base<T>, private detail::Countable {
 public:
  static constexpr int limit = 10;
  explicit Limiter(T clock, int count = 3) : clock_(clock) {}
  Limiter(const Limiter&) = delete;
  virtual ~Limiter();

  virtual int take(int count, const std::string& who) const = 0;
  template <class U> void each(U&& visit) { visit(3); }
  bool operator==(const Limiter& other) const { return true; }
  Order& order() { return *order_; }
  static std::unique_ptr<Limiter> make();

  enum class State : int { Open, Closed };
  using Value = T;

 private:
  T clock_;
  std::vector<int> items_{1};
  Order* order_ = nullptr;
  int first_, last_;
};

struct Point : Shape { int x = 0; };

template <typename T> T larger(T a, T b) { return a < b ? b : a; }
static const int most = 3;

int Cart::total(int count, const std::string& who) const {
  if (count > most) throw Refusal("none");
  Order order{count};
  auto made = new Order(count);
  auto kept = std::make_unique<Point>(count);
  order.save().now(1);
  made->go();
  this->take(3);
  fs::path::of(who);
  larger<int>(helper(count), 3);
  try {
    check();
  } catch (const std::exception& error) {
    log(error);
  }
  for (const Point& point : points()) point.draw();
  throw std::runtime_error("late");
}

Cart::Cart(int size) : size_(size) {}
shop::Cart::~Cart() {}
Order* Cart::first() { return 0; }
Order& Cart::last() { return order_; }

}  // namespace shop::limits

extern "C" { void c_side(int count); }

typedef int (*Hook)(int);
using Names = std::map<string, int>;
const std::string title = "limits";

auto main(int argc) -> int { return 0; }

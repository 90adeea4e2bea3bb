<?php

namespace App\Http;

use App\Models\Order;
use App\Models\{Cart, Line as Row, function total};
use App\Support\Logger as Log;
use function App\money\round_up;
use const App\LIMIT;
use Countable;

require_once __DIR__ . '/bootstrap.php';

/** Beställningar. */
#[Route('/orders', name: 'orders')]
final class OrderController extends \App\Base\Controller implements Countable, Support\Listens
{
    use Dispatches, \App\Concerns\Validates { check as protected verify; }

    const PER_PAGE = 20, MOST = 100;
    private ?Store $store = null;
    public static array $seen = [];

    public function __construct(private readonly Mailer $mailer, Clock $clock, int ...$sizes)
    {
        parent::__construct($clock);
        $this->store = new Store(self::PER_PAGE);
        $this->clock = $clock;
    }

    #[Get('/{id}')]
    public function show(Request $request, string|int $id): Response
    {
        $order = new \App\Models\Order($id);
        try {
            $this->store->load($order)?->lines();
            $this->verify($request->all());
        } catch (NotFound | \RuntimeException $err) {
            throw new HttpException("hittades inte: ö", 404);
        }
        $each = fn(Row $row) => round_up($row->price);
        $format = function ($text) use ($order) { return \strtoupper($text); };
        $format($each);
        if ($order instanceof Draft) { return static::empty(Response::class); }
        return view('orders.show', compact('order'));
    }

    abstract protected function sign(string $body): string;
}

interface Listens extends Hears, \Stringable
{
    public function on(string $event): void;
}

trait Dispatches
{
    use Queues;

    public function dispatch(Job $job) { Bus::send($job); }
}

enum State: string implements Labelled
{
    case Open = 'open';
    case Closed = 'closed';

    public function label(): string { return ucfirst($this->value); }
}

function helper(array $rows, $deep = false) { return total($rows); }

define('APP_NAME', 'Butik');
const VERSION = 2;

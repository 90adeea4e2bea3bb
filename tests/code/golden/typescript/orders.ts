import axios, { type AxiosInstance as Http, isAxiosError } from "axios";
import * as path from "node:path";
import "./polyfills";
import fs = require("fs");
export * from "./money";
export * as rates from "./rates";
export { Cart as Basket, default as Shop } from "./cart";

/** Förfrågningar, at most this many. */
export const cfg = { retries: 3, url: "/orders", sign(body: string) { return digest(body); } };
export const LIMIT: number = 10, WINDOW = 60;
let last: Order | undefined;

export interface Repository<T> extends Reader<T>, rates.Source {
  readonly size: number;
  find(id: string): Promise<T | null>;
  find(id: number, deep?: boolean): Promise<T>;
}

export type Listener = (order: Order) => void;

export enum State { Open = "open", Closed = "closed", Lost }

@Injectable({ scope: "request" })
export abstract class OrderStore<T extends Order> extends Base<T> implements Repository<T>, Disposable {
  @Input() name?: string;
  private cache = new Map<string, T>();
  #seen: Set<string> = new Set();

  constructor(private readonly http: Http, @Inject(CLOCK) clock: Clock | null) {
    super(http);
    this.clock = clock;
    this.queue = new JobQueue<T>(cfg.retries);
  }

  get size(): number { return this.cache.size; }

  find(id: string): Promise<T | null>;
  find(id: number, deep?: boolean): Promise<T>;
  @Log("find")
  async find(id: string | number): Promise<T | null> {
    const found = await this.http.get<T>(path.join(cfg.url, String(id)));
    if (!found) throw new NotFound(`beställning ${id}`);
    return found as T;
  }

  handle = async (event: OrderEvent): Promise<void> => {
    try {
      this.queue.push(event.order).then(done => notify(done));
    } catch (error) {
      if (error instanceof Timeout) throw error;
    }
  };

  protected abstract sign(body: string): string;
}

export function total(order: Order): number;
export function total(orders: Order[], rate?: number): number;
export function total(orders: any, rate = 1): number {
  const sum = (lines: Line[]) => lines.reduce((a, b) => a + b.price, 0);
  return sum(orders.lines) * rate;
}

export namespace Totals.Cached {
  export const size = 4;
  export function clear(): void {}
}

declare module "axios" {
  interface AxiosRequestConfig { retries?: number }
}

const Draft = class extends OrderStore<Order> {};
const load = async (name: string) => import("./pages/" + name);
const lazy = () => import("./lazy");

export default { name: "orders", setup() { return load("x"); }, methods: { close: () => last?.close!() } };

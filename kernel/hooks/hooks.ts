import type {
  HookContext,
  HookData,
  HookHandler,
  HookKind,
  HookName,
  HookNameOf,
  HookOrder,
  Hooks,
  HookStat,
  Logger,
  Settings,
} from "../contracts.js";
import { SiteError } from "../errors.js";
import { failureFields } from "../boot/failure.js";
import { messageOf, Propagation, withinLimit } from "./hook-call.js";
import { HookContexts } from "./hook-context.js";
import { HookKinds } from "./hook-kinds.js";
import { sortHandlers, type Placed } from "./hook-order.js";
import { HandlerStats } from "./hook-stats.js";

interface Subscription extends Placed {
  handler: (ctx: HookContext<HookName>) => void | Promise<void>;
  stats: HandlerStats;
  log: Logger;
}
/** What the bus needs from the site. */
export interface BusOptions {
  settings: () => Settings;
  log: Logger;
  signal: AbortSignal;
  now: () => number;
  /** Receives the duration of each handler, in ms. */
  timed?: ((name: string, ms: number) => void) | undefined;
}

/** The hook bus of one site. Plugins see it through `forPlugin`. */
export class HookBus {
  readonly #kinds = new HookKinds();
  readonly #subscriptions = new Map<string, Subscription[]>();
  readonly #contexts = new HookContexts();
  readonly #pending = new Set<Promise<void>>();
  readonly #options: BusOptions;
  #queue: Promise<void> = Promise.resolve();

  constructor(options: BusOptions) {
    this.#options = options;
  }

  /** Declares a hook with its kind; declaring it again with the same kind changes nothing. */
  declare(name: string, kind: HookKind): void {
    this.#kinds.declare(name, kind);
  }

  /** The bus as `plugin` sees it; `rank` is its position in the plugin order. */
  forPlugin(plugin: string, rank: number): Hooks {
    return {
      on: (name, handler, order = {}) => this.#subscribe(name, handler, { plugin, rank, order }),
      run: (name, data) => this.run(name, data),
      transform: (name, data) => this.transform(name, data),
      notify: (name, data) => this.notify(name, data),
      has: (name) => this.has(name),
      handlers: (name) => this.handlers(name),
      declared: () => this.declared(),
      stats: () => this.stats(),
      settled: () => this.settled(),
      extendContext: (key, value) => this.#contexts.extend(key, value),
    };
  }

  #subscribe<N extends HookName>(
    name: N,
    handler: HookHandler<N>,
    place: { plugin: string; rank: number; order: HookOrder },
  ): void {
    const list = this.#subscriptions.get(name) ?? [];
    const stats = new HandlerStats(place.plugin, name, this.#options.now);
    const log = this.#options.log.child({ plugin: place.plugin });
    // A handler only ever receives the context of the hook it was registered for.
    list.push({ ...place, stats, log, handler: handler as unknown as Subscription["handler"] });
    this.#subscriptions.set(name, sortHandlers(list));
  }

  /**
   * Checks that every hook with handlers is declared.
   * @throws ERR_HOOK_UNKNOWN with the nearest name.
   */
  assertKnown(): void {
    for (const [name, list] of this.#subscriptions) {
      this.#kinds.assertDeclared(name, list);
    }
  }

  has(name: HookName): boolean {
    return this.#subscriptions.has(name);
  }

  handlers(name: HookName): readonly { plugin: string; order: HookOrder }[] {
    return (this.#subscriptions.get(name) ?? []).map(({ plugin, order }) => ({ plugin, order }));
  }

  /** Declared hooks with their kind. */
  declared(): ReadonlyMap<string, HookKind> {
    return this.#kinds.all();
  }

  stats(): readonly HookStat[] {
    return [...this.#subscriptions.values()].flat().map(({ stats }) => stats.row());
  }

  async run<N extends HookNameOf<"create">>(name: N, data: HookData<N>): Promise<HookData<N>> {
    this.#kinds.assertKind(name, "create");
    const subscriptions = this.#subscriptions.get(name);
    if (!subscriptions) return data;
    const state = new Propagation(name, data);
    for (const subscription of subscriptions) {
      try {
        await this.#call(subscription, state);
      } catch (error) {
        this.#blame(subscription, state.name, error);
        throw new SiteError(
          "ERR_HOOK_FAILED",
          `plugin "${subscription.plugin}" failed in ${name}: ${messageOf(error)}`,
          { cause: error, fix: "fix the plugin, or disable it" },
        );
      }
      if (state.stopped) break;
    }
    return state.data;
  }

  async transform<N extends HookNameOf<"transform">>(
    name: N,
    data: HookData<N>,
  ): Promise<HookData<N>> {
    this.#kinds.assertKind(name, "transform");
    const subscriptions = this.#subscriptions.get(name);
    return subscriptions ? this.#chain(subscriptions, new Propagation(name, data)) : data;
  }

  notify<N extends HookNameOf<"notify">>(name: N, data: HookData<N>): void {
    this.#kinds.assertKind(name, "notify");
    const subscriptions = this.#subscriptions.get(name);
    if (!subscriptions) return;
    const told = this.#queue.then(() => this.#chain(subscriptions, new Propagation(name, data)));
    this.#queue = told.then(() => undefined);
    const tracked = this.#queue.finally(() => this.#pending.delete(tracked));
    this.#pending.add(tracked);
  }

  async settled(): Promise<void> {
    while (this.#pending.size > 0) await Promise.all(this.#pending);
  }

  async #chain<N extends HookName>(
    subscriptions: readonly Subscription[],
    state: Propagation<N>,
  ): Promise<HookData<N>> {
    for (const subscription of subscriptions) {
      if (subscription.stats.isOpen()) continue;
      const before = state.data;
      try {
        await this.#call(subscription, state);
      } catch (error) {
        state.data = before;
        this.#blame(subscription, state.name, error);
      }
      if (state.stopped) break;
    }
    return state.data;
  }

  async #call<N extends HookName>(
    subscription: Subscription,
    state: Propagation<N>,
  ): Promise<void> {
    const limit = new AbortController();
    const { settings, signal: closing, timed } = this.#options;
    const { log } = subscription;
    const context = this.#contexts.of(state, { settings: settings(), log, limit, closing });
    const started = performance.now();
    try {
      const pending = subscription.handler(context as unknown as HookContext<HookName>);
      if (pending) await withinLimit(pending, limit, `${subscription.plugin}:${state.name}`);
      subscription.stats.succeeded(performance.now() - started);
    } catch (error) {
      subscription.stats.failed(performance.now() - started, messageOf(error));
      throw error;
    } finally {
      timed?.(`${subscription.plugin}.${state.name}`, performance.now() - started);
    }
  }

  #blame(subscription: Subscription, name: string, error: unknown): void {
    this.#options.log.error("hook.failed", {
      plugin: subscription.plugin,
      hook: name,
      ...failureFields(error),
      switchedOff: subscription.stats.isOpen(),
    });
  }
}

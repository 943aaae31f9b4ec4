import { SiteError, messageOf } from "#lib/errors";
import { expectText, isPromise, isRecord, expectKind, shownValue } from "#lib/values";
import type {
  AnyHook,
  FiredHooks,
  HookContext,
  HookData,
  HookHandler,
  HookKind,
  HookOrder,
  Hooks,
  HookStat,
  Logger,
  Settings,
  HookContextExtras,
} from "../contracts.js";
import { callCheck, asPlugin } from "../call-check.js";
import { failureFields } from "../boot/describe-failure.js";
import { readDeclarations, hookName } from "./define-hook.js";
import { Propagation, withinLimit } from "./hook-call.js";
import { HookKinds } from "./hook-kinds.js";
import { HandlerStats, SWITCHED_OFF } from "./hook-stats.js";

interface Subscription extends OrderedHandler {
  handler: (ctx: HookContext<AnyHook>) => void | Promise<void>;
  /** The kind of the definition that the handler was registered with. */
  kind: HookKind | null;
  stats: HandlerStats;
  log: Logger;
}
/** The parts of a site that its bus uses. */
export interface BusOptions {
  settings: () => Settings;
  log: Logger;
  signal: AbortSignal;
  now: () => number;
  /** Adds warnings for the authors of plugins. */
  isDev?: boolean;
  /** Time limit of a handler, in ms. Default: 5,000. */
  handlerLimitMs?: number | undefined;
  /** Receives the duration of each handler, in ms. */
  timed?: ((name: string, ms: number) => void) | undefined;
}

/** A handler of a create hook failed, which the log has: the code and the fix are those of its error. */
export class CreateHookError extends SiteError {
  constructor(plugin: string, hook: string, cause: unknown) {
    const { code, fix } =
      cause instanceof SiteError ? cause : { code: "ERR_HOOK_FAILED", fix: undefined };
    const message = messageOf(cause);
    const isNamed = message.startsWith(`plugin "${plugin}"`);
    super(
      code,
      isNamed ? `${message}, in ${hook}` : `plugin "${plugin}" failed in ${hook}: ${message}`,
      {
        cause,
        fix: fix ?? `fix it, or disable it: plugins: { ${plugin}: { enabled: false } }`,
      },
    );
  }
}

const assertSubscription = callCheck(
  "hooks.on",
  {
    hook: (value) =>
      typeof value === "string" || (isRecord(value) && typeof value["name"] === "string")
        ? null
        : `expected a hook or its name, received ${shownValue(value)}`,
  },
  'hooks.on("onPageUpdate", ({ data }) => { … })',
);

const assertExtra = callCheck(
  "hooks.extendContext",
  { key: expectText, value: expectKind("function") },
  'site.hooks.extendContext("tides", () => tides)',
);

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

  /** Declares the hooks that a plugin fires. @throws ERR_HOOK_KIND, ERR_HOOK_NAME, ERR_HOOK_DUPLICATE. */
  declare(owner: string, fires: FiredHooks | undefined): void {
    for (const declaration of readDeclarations(owner, fires)) this.#kinds.declare(declaration);
  }

  /** The bus as `plugin` sees it; `rank` is its position in the plugin order. */
  forPlugin(plugin: string, rank: number): Hooks {
    return {
      on: (hook, handler, order = {}) => this.#subscribe(hook, handler, { plugin, rank, order }),
      run: (hook, data, handled) => this.run(hook, data, handled),
      transform: (hook, data) => this.transform(hook, data),
      notify: (hook, data) => this.notify(hook, data),
      reject: (hook, error) => this.reject(hook, error),
      has: (hook) => this.has(hook),
      handlers: (hook) => this.handlers(hook),
      declared: () => this.declared(),
      stats: () => this.stats(),
      settled: () => this.settled(),
      extendContext: (key, value) => {
        assertExtra(key, value);
        this.#contexts.extend(key, value);
      },
    };
  }

  #subscribe<H extends AnyHook>(
    hook: H,
    handler: HookHandler<H>,
    subscriber: OrderedHandler,
  ): void {
    assertSubscription(hook);
    const name = hookName(hook);
    const kind = typeof hook === "string" ? null : hook.kind;
    if (typeof handler !== "function") {
      throw new SiteError(
        "ERR_HOOK_HANDLER",
        `plugin "${subscriber.plugin}" handles ${name}: expected a function, received ${shownValue(handler)}`,
        { fix: `pass a handler: site.hooks.on("${name}", ({ data }) => { … })` },
      );
    }
    const list = this.#subscriptions.get(name) ?? [];
    const stats = new HandlerStats(subscriber.plugin, name, this.#options.now);
    const log = this.#options.log.child({ plugin: subscriber.plugin });
    // A handler only ever receives the context of the hook it was registered for.
    const unspecific = handler as unknown as Subscription["handler"];
    list.push({ ...subscriber, kind, stats, log, handler: unspecific });
    this.#subscriptions.set(name, sortHandlers(list));
  }

  /**
   * Checks that every hook with handlers is declared, with the kind of its definition.
   * @throws ERR_HOOK_UNKNOWN with the nearest name; ERR_HOOK_KIND.
   */
  assertKnown(): void {
    for (const [name, list] of this.#subscriptions) {
      this.#kinds.assertDeclared(name, list);
    }
  }

  has(hook: AnyHook): boolean {
    return this.#subscriptions.has(hookName(hook));
  }

  handlers(hook: AnyHook): readonly { plugin: string; order: HookOrder }[] {
    const list = this.#subscriptions.get(hookName(hook)) ?? [];
    return list.map(({ plugin, order }) => ({ plugin, order }));
  }

  /** Declared hooks with their kind. */
  declared(): ReadonlyMap<string, HookKind> {
    return this.#kinds.all();
  }

  stats(): readonly HookStat[] {
    return [...this.#subscriptions.values()].flat().map(({ stats }) => stats.row());
  }

  async run<H extends AnyHook<"create">>(
    hook: H,
    data: HookData<H>,
    handled?: (plugin: string, data: HookData<H>) => void,
  ): Promise<HookData<H>> {
    const name = hookName(hook);
    this.#kinds.assertKind(name, "create");
    const subscriptions = this.#subscriptions.get(name);
    if (!subscriptions) return data;
    const state = new Propagation(name, data, this.#kinds.checkOf(name));
    for (const subscription of subscriptions) {
      try {
        await asPlugin(subscription.plugin, () => this.#call(subscription, state));
      } catch (error) {
        this.#blame(subscription, state.name, error);
        throw new CreateHookError(subscription.plugin, name, error);
      }
      handled?.(subscription.plugin, state.data);
      if (state.stopped) break;
    }
    return state.data;
  }

  async transform<H extends AnyHook<"transform">>(
    hook: H,
    data: HookData<H>,
  ): Promise<HookData<H>> {
    const name = hookName(hook);
    this.#kinds.assertKind(name, "transform");
    const subscriptions = this.#subscriptions.get(name);
    if (!subscriptions) return data;
    return this.#chain(subscriptions, new Propagation(name, data, this.#kinds.checkOf(name)));
  }

  reject(hook: AnyHook<"transform">, error: unknown): void {
    for (const subscription of this.#subscriptions.get(hookName(hook)) ?? []) {
      if (subscription.stats.isOpen()) continue;
      subscription.stats.failed(0, messageOf(error));
      this.#blame(subscription, hookName(hook), error);
    }
  }

  notify<H extends AnyHook<"notify">>(hook: H, data: HookData<H>): void {
    const name = hookName(hook);
    this.#kinds.assertKind(name, "notify");
    const subscriptions = this.#subscriptions.get(name);
    if (!subscriptions) return;
    const done = this.#queue.then(() => this.#chain(subscriptions, new Propagation(name, data)));
    this.#queue = done.then(() => undefined);
    const tracked = this.#queue.finally(() => this.#pending.delete(tracked));
    this.#pending.add(tracked);
  }

  async settled(): Promise<void> {
    while (this.#pending.size > 0) await Promise.all(this.#pending);
  }

  async #chain<D>(subscriptions: readonly Subscription[], state: Propagation<D>): Promise<D> {
    for (const subscription of subscriptions) {
      if (subscription.stats.isOpen()) continue;
      const before = state.copy();
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

  async #call<D>(subscription: Subscription, state: Propagation<D>): Promise<void> {
    const limit = new AbortController();
    const { settings, signal: closing, timed, handlerLimitMs } = this.#options;
    const { log } = subscription;
    const context = this.#contexts.of(state, { settings: settings(), log, limit, closing });
    const started = performance.now();
    try {
      const who = `${subscription.plugin}:${state.name}`;
      const pending: unknown = subscription.handler(context as unknown as HookContext<AnyHook>);
      const returned = isPromise(pending)
        ? await withinLimit(pending, limit, who, handlerLimitMs)
        : pending;
      state.assertValid();
      if (returned !== undefined) this.#warnOfReturned(subscription, state.name, returned);
      subscription.stats.succeeded(performance.now() - started);
    } catch (error) {
      subscription.stats.failed(performance.now() - started, messageOf(error));
      throw error;
    } finally {
      timed?.(`${subscription.plugin}.${state.name}`, performance.now() - started);
    }
  }

  /** In dev: what a handler returns changes nothing. */
  #warnOfReturned({ plugin, stats }: Subscription, name: string, returned: unknown): void {
    const isTransform = this.#kinds.all().get(name) === "transform";
    if (!this.#options.isDev || !isTransform || !stats.isFirstReturn()) return;
    this.#options.log.warn("hook.value_ignored", {
      plugin,
      hook: name,
      returned: shownValue(returned),
      fix: "pass the changed payload to setData; a returned value is ignored",
    });
  }

  #blame(subscription: Subscription, name: string, error: unknown): void {
    this.#options.log.error("hook.failed", {
      plugin: subscription.plugin,
      hook: name,
      ...failureFields(error),
      switchedOff: subscription.stats.isOpen(),
    });
    if (!subscription.stats.isOpen()) return;
    this.#options.log.error("hook.switched_off", {
      plugin: subscription.plugin,
      hook: name,
      ...SWITCHED_OFF,
    });
  }
}

/** A handler with its order. */
export interface OrderedHandler {
  plugin: string;
  /** Position of its plugin in the plugin order. */
  rank: number;
  order: HookOrder;
}

/** Plugin order first, then `before`/`after`, then registration. */
export function sortHandlers<T extends OrderedHandler>(list: readonly T[]): T[] {
  const sorted = list.toSorted((a, b) => a.rank - b.rank);
  for (const item of list) {
    const { before, after } = item.order;
    if (before === undefined && after === undefined) continue;
    const rest = sorted.filter((other) => other !== item);
    const target =
      before === undefined
        ? rest.findLastIndex((other) => other.plugin === after) + 1
        : rest.findIndex((other) => other.plugin === before);
    const none = before === undefined ? target === 0 : target === -1;
    if (none) continue;
    rest.splice(target, 0, item);
    sorted.splice(0, sorted.length, ...rest);
  }
  return sorted;
}

/** The parts of a call beside its payload. */
export interface CallScope {
  settings: Settings;
  log: Logger;
  /** Aborted when the handler's time limit has passed. */
  limit: AbortController;
  /** Aborted when the site closes. */
  closing: AbortSignal;
}

/**
 * The argument of a handler. Computed fields are on the prototype: own accessors would give each
 * context a hidden class.
 */
class CallContext<D> {
  readonly event: string;
  readonly settings: Settings;
  readonly log: Logger;
  readonly #state: Propagation<D>;
  readonly #scope: CallScope;
  #signal: AbortSignal | null = null;

  constructor(state: Propagation<D>, scope: CallScope) {
    this.event = state.name;
    this.settings = scope.settings;
    this.log = scope.log;
    this.#state = state;
    this.#scope = scope;
  }

  get data(): D {
    return this.#state.data;
  }

  get signal(): AbortSignal {
    const { limit, closing } = this.#scope;
    return (this.#signal ??= AbortSignal.any([limit.signal, closing]));
  }

  readonly setData = (next: D): void => void (this.#state.data = next);
  readonly stopPropagation = (): void => void (this.#state.stopped = true);
}

/** The contexts of one bus, with the fields that plugins add to them. */
export class HookContexts {
  readonly #Context = class<D> extends CallContext<D> {};

  /** Adds a field, computed on each read. */
  extend(key: string, get: () => unknown): void {
    const descriptor = { get, enumerable: true, configurable: true };
    Object.defineProperty(this.#Context.prototype, key, descriptor);
  }

  /** The context of one call. */
  of<D>(state: Propagation<D>, scope: CallScope): CallContext<D> & HookContextExtras {
    // `extend` has added the fields that HookContextExtras declares.
    return new this.#Context(state, scope) as CallContext<D> & HookContextExtras;
  }
}

/** The hooks. Plugins declare theirs in `HookMap` by declaration merging. */
import type { Request } from "express";
import type { ValueCheck } from "#lib/values";
import type { Logger, Paths } from "./environment.js";
import type { Answer } from "./http.js";
import type { Settings } from "./settings.js";

/** Hook name to its kind and payload. Filled by each `contract.ts`. */
export interface HookMap {
  /**
   * At startup, when the settings are validated and every plugin is set up.
   *
   * @example
   * site.hooks.on("onConfigLoaded", ({ data, log }) => {
   *   log.info("greet.configured", { title: data.settings.site.title });
   * });
   */
  onConfigLoaded: CreateHook<{ settings: Settings }>;
  /**
   * At startup, after `onConfigLoaded`: a handler prepares the files of its plugin.
   *
   * @example
   * import { mkdir } from "node:fs/promises";
   * site.hooks.on("onStorageReady", async ({ data }) => {
   *   await mkdir(`${data.paths.data}/weather`, { recursive: true });
   * });
   */
  onStorageReady: CreateHook<{ paths: Paths }>;
  /**
   * Before the response cache and the routes handle a request. Set `answer` to respond at once.
   *
   * @example
   * site.hooks.on("onRequest", ({ data, setData }) => {
   *   if (data.req.ctx.path !== "/teapot") return;
   *   setData({ ...data, answer: { status: 418, type: "text/plain", body: "teapot" } });
   * });
   */
  onRequest: TransformHook<OnRequestData>;
  /**
   * After a request has ended. `status` is null when no status was sent: the client disconnected before, or
   * the handler closed the connection.
   *
   * @example
   * site.hooks.on("onResponse", ({ data, log }) => {
   *   if (data.durationMs > 1_000) log.warn("slow.request", { path: data.req.ctx.path });
   * });
   */
  onResponse: NotifyHook<{ req: Request; status: number | null; durationMs: number }>;
  /**
   * Before a route below a JSON prefix, such as `/api`, handles a request.
   *
   * @example
   * site.hooks.on("onApiRequest", ({ data, log }) => {
   *   log.info("usage.api_request", { path: data.req.ctx.path });
   * });
   */
  onApiRequest: TransformHook<{ req: Request }>;
  /**
   * Before the JSON of an API route is sent; a handler may change its status and body.
   *
   * @example
   * site.hooks.on("onApiResponse", ({ data, setData }) => {
   *   if (data.req.ctx.path === "/api/hello") setData({ ...data, body: { result: data.body } });
   * });
   */
  onApiResponse: TransformHook<{ req: Request; status: number; body: unknown }>;
}
/** Fields that plugins add to the context of every handler (`content`, …). */
export interface HookContextExtras {}
/** Startup: handlers fill the payload; a throwing handler stops the boot. */
export interface CreateHook<D> {
  kind: "create";
  data: D;
}
/** Content and requests: handlers may replace the payload; a throwing handler is skipped. */
export interface TransformHook<D> {
  kind: "transform";
  data: D;
}
/** After the fact: handlers react in the background; a throwing handler never affects the caller. */
export interface NotifyHook<D> {
  kind: "notify";
  data: D;
}
/** The three kinds of hook. */
export type HookKind = "create" | "transform" | "notify";
/** Every declared hook name. */
export type HookName = keyof HookMap & string;
/** A hook with its type and kind in one place, from `defineHook`; `D` is its payload. */
export interface DefinedHook<D, K extends HookKind = HookKind> {
  readonly name: string;
  readonly kind: K;
  /** Returns what is wrong with a payload that a handler has set; null: nothing. */
  readonly check?: ValueCheck;
  /** Only the compiler reads it: it is never set. */
  readonly payload?: D;
}
/** A hook of one kind (default: any): its name in `HookMap`, or its definition. */
export type AnyHook<K extends HookKind = HookKind> = HookNameOf<K> | DefinedHook<unknown, K>;
/** The payload of a hook in `HookMap`. */
type NamedData<N extends HookName> = HookMap[N]["data"];
/** The payload of hook `H`. */
export type HookData<H extends AnyHook> = H extends HookName
  ? NamedData<H>
  : H extends DefinedHook<infer D>
    ? D
    : never;
/** The hooks of one kind. */
export type HookNameOf<K extends HookKind> = {
  [N in HookName]: HookMap[N]["kind"] extends K ? N : never;
}[HookName];
/** The context that a handler receives. */
export interface HookContext<H extends AnyHook> extends HookContextExtras {
  readonly event: H extends HookName ? H : string;
  readonly data: HookData<H>;
  /** Replaces the payload for the handlers that follow and for the caller (transform hooks). */
  setData(next: HookData<H>): void;
  /** Ends the chain after this handler; the payload set so far is used. */
  stopPropagation(): void;
  readonly settings: Settings;
  readonly log: Logger;
  /** Aborted when the site closes or the handler's time limit has passed. */
  readonly signal: AbortSignal;
}
/** A hook handler; may be asynchronous. */
export type HookHandler<H extends AnyHook> = (ctx: HookContext<H>) => void | Promise<void>;
/** Orders a handler before or after another plugin's handlers of the same hook. */
export interface HookOrder {
  before?: string;
  after?: string;
}
/** Handlers as a plugin declares them: a function, or a function with its order. */
export type HookHandlers = {
  [N in HookName]?: HookHandler<N> | ({ handler: HookHandler<N> } & HookOrder);
};
/**
 * The hooks that a plugin fires: their definitions, or names of `HookMap` with their kind. `check` says what
 * is wrong with a payload that a handler of a transform hook has set; such a handler is skipped.
 */
export type FiredHooks =
  | { [N in HookName]?: HookMap[N]["kind"] | { kind: HookMap[N]["kind"]; check: ValueCheck } }
  | readonly DefinedHook<unknown>[];
/** One row of `hooks.stats()`: statistics of a plugin's handlers of one hook. */
export interface HookStat {
  plugin: string;
  hook: string;
  calls: number;
  errors: number;
  totalMs: number;
  maxMs: number;
  /** True while the breaker has disabled the handler. */
  open: boolean;
  lastError: string | null;
}
/** The hook bus as a plugin sees it, by name or definition. The verb must match the hook's kind. */
export interface Hooks {
  on<H extends AnyHook>(hook: H, handler: HookHandler<H>, order?: HookOrder): void;
  /**
   * Runs a startup hook; resolves with the payload. `handled` is called after each handler, with its plugin.
   * @throws when a handler does: with the code of its `SiteError`, otherwise ERR_HOOK_FAILED.
   */
  run<H extends AnyHook<"create">>(
    hook: H,
    data: HookData<H>,
    handled?: (plugin: string, data: HookData<H>) => void,
  ): Promise<HookData<H>>;
  /** Passes the payload through the handlers; resolves with the result. */
  transform<H extends AnyHook<"transform">>(hook: H, data: HookData<H>): Promise<HookData<H>>;
  /** Runs the handlers in the background, in order; `site.close()` waits for them. */
  notify<H extends AnyHook<"notify">>(hook: H, data: HookData<H>): void;
  /**
   * Reports that what the handlers of a transform hook have set together cannot be used: it counts as a
   * failure of each. The caller goes on with its own value.
   */
  reject(hook: AnyHook<"transform">, error: unknown): void;
  /** True when the hook has handlers. */
  has(hook: AnyHook): boolean;
  /** The handlers of a hook, in order. */
  handlers(hook: AnyHook): readonly { plugin: string; order: HookOrder }[];
  /** Every hook that the kernel or a selected plugin fires, with its kind. */
  declared(): ReadonlyMap<string, HookKind>;
  stats(): readonly HookStat[];
  /** Resolves when every notification so far has been handled. */
  settled(): Promise<void>;
  /** Adds a field to every handler's context, computed when a handler reads it. */
  extendContext<K extends keyof HookContextExtras>(key: K, value: () => HookContextExtras[K]): void;
}
/** Payload of `onRequest`: set `answer` to respond at once. */
export interface OnRequestData {
  /** Includes credentials: handlers are trusted code. */
  req: Request;
  answer: Answer | null;
}

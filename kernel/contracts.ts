/**
 * The kernel's API as types: what a plugin may declare, what it receives, and the empty
 * interfaces that plugins fill by declaration merging (`declare module "#kernel"`).
 */
import type { Duplex } from "node:stream";
import type { NextFunction, Request, Response } from "express";
import type { ZodObject, ZodType } from "zod";

// ---------------------------------------------------------------- open interfaces

/** Hook name to its kind and payload. Filled by each `contract.ts`. */
export interface HookMap {
  onConfigLoaded: CreateHook<{ settings: Settings }>;
  onStorageReady: CreateHook<{ paths: Paths }>;
  onRequest: TransformHook<OnRequestData>;
  onResponse: NotifyHook<{ req: Request; status: number; durationMs: number }>;
  onApiRequest: TransformHook<{ req: Request }>;
  onApiResponse: TransformHook<{ req: Request; status: number; body: unknown }>;
}

/** Plugin name to the service it provides with `site.provide(name, service)`. */
export interface Services {}

/** Slot name to the contract its engines fulfil. */
export interface Engines {}

/** Keys of `site.yaml`, typed by the plugins that own them. */
export interface SiteSettings {
  title: string;
  description: string;
  /** Canonical base URL without a trailing slash. */
  url: string;
  author: { name: string; email: string };
  metadata: Record<string, string>;
  flags: Record<string, boolean>;
}

/** Keys of `system.yaml`, typed by the plugins that own them. */
export interface SystemSettings {
  debug: boolean;
  /** IANA zone. */
  timezone: string;
  logging: { format: "text" | "json"; level: LogLevel };
  server: ServerSettings;
}

/** `system.server`; plugins add their own keys to it. */
export interface ServerSettings {
  /** `false`, the number of proxies in front, or their CIDR ranges. */
  trust_proxy: false | number | string[];
}

/** Keys of `admin.yaml` (top level or below `admin:`), typed by the plugins that own them. */
export interface AdminSettings {
  /** Version-controlled data, relative to the site root. */
  dataDir: string;
  /** Machine-local data, relative to the site root. */
  runtimeDir: string;
}

/** What `req.ctx.state` carries; plugins add their keys (`siteUser`, `viewer`, …). */
export interface RequestState {}

/** What every hook handler finds on its context beside the fixed fields (`content`, …). */
export interface HookContextExtras {}

// ---------------------------------------------------------------- hooks

/** Start-up: handlers fill the payload; a throwing handler stops the boot. */
export interface CreateHook<D> {
  kind: "create";
  data: D;
}
/** Content and requests: handlers may replace the payload; a throwing handler is skipped. */
export interface TransformHook<D> {
  kind: "transform";
  data: D;
}
/** What has happened: handlers react in the background; a throwing handler never reaches the caller. */
export interface NotifyHook<D> {
  kind: "notify";
  data: D;
}
/** The three kinds of hook. */
export type HookKind = "create" | "transform" | "notify";
/** Every declared hook name. */
export type HookName = keyof HookMap & string;
/** The payload of hook `N`. */
export type HookData<N extends HookName> = HookMap[N]["data"];
/** The hooks of one kind. */
export type HookNameOf<K extends HookKind> = {
  [N in HookName]: HookMap[N]["kind"] extends K ? N : never;
}[HookName];

/** What a handler receives. */
export interface HookContext<N extends HookName> extends HookContextExtras {
  readonly event: N;
  readonly data: HookData<N>;
  /** Replaces the payload for the handlers that follow and for the caller (transform hooks). */
  setData(next: HookData<N>): void;
  /** Ends the chain after this handler; the payload set so far stands. */
  stopPropagation(): void;
  readonly settings: Settings;
  readonly log: Logger;
  /** Aborted when the site closes or the handler's time limit is over. */
  readonly signal: AbortSignal;
}
/** A hook handler; may be asynchronous. */
export type HookHandler<N extends HookName> = (ctx: HookContext<N>) => void | Promise<void>;
/** Places a handler before or after another plugin's handlers of the same hook. */
export interface HookOrder {
  before?: string;
  after?: string;
}
/** Handlers as a plugin declares them: a function, or a function with its place. */
export type HookHandlers = {
  [N in HookName]?: HookHandler<N> | ({ handler: HookHandler<N> } & HookOrder);
};

/** One row of `hooks.stats()`: how a plugin's handlers of one hook have behaved. */
export interface HookStat {
  plugin: string;
  hook: HookName;
  calls: number;
  errors: number;
  totalMs: number;
  maxMs: number;
  /** True while the breaker keeps the handler switched off. */
  open: boolean;
  lastError: string | null;
}

/** The bus as a plugin sees it. The verb must match the hook's kind. */
export interface Hooks {
  on<N extends HookName>(name: N, handler: HookHandler<N>, order?: HookOrder): void;
  /** Runs a start-up hook; resolves with the payload, throws what a handler throws (ERR_HOOK_FAILED). */
  run<N extends HookNameOf<"create">>(name: N, data: HookData<N>): Promise<HookData<N>>;
  /** Passes the payload through the handlers; answers at once, without a promise, when there are none. */
  transform<N extends HookNameOf<"transform">>(
    name: N,
    data: HookData<N>,
  ): HookData<N> | Promise<HookData<N>>;
  /** Tells the handlers in the background, in order; `site.close()` waits for them. */
  notify<N extends HookNameOf<"notify">>(name: N, data: HookData<N>): void;
  /** True when somebody listens. */
  has(name: HookName): boolean;
  /** Who runs, in which order. */
  handlers(name: HookName): readonly { plugin: string; order: HookOrder }[];
  /** Every hook that the kernel or a selected plugin fires, with its kind. */
  declared(): ReadonlyMap<string, HookKind>;
  stats(): readonly HookStat[];
  /** Resolves when every notification sent so far has been handled. */
  settled(): Promise<void>;
  /** Adds a field to every handler's context, read when a handler asks for it. */
  extendContext<K extends keyof HookContextExtras>(key: K, value: () => HookContextExtras[K]): void;
}

/** Payload of `onRequest`: set `answer` to answer at once. */
export interface OnRequestData {
  /** Credentials are still on it: handlers are trusted code. */
  req: Request;
  answer: Answer | null;
}

// ---------------------------------------------------------------- services and engines

/** A slot with several implementations and one active. */
export interface EngineSlot<E> {
  /** Adds an implementation. Throws ERR_ENGINE_DUPLICATE, or ERR_SEALED after the boot. */
  register(name: string, engine: E): void;
  /** Makes `name` the active one. Throws ERR_ENGINE_UNKNOWN, naming what is registered. */
  activate(name: string): void;
  /** The active implementation. Throws ERR_ENGINE_NONE. */
  readonly active: E;
  /** Name of the active implementation, null while none is. */
  readonly activeName: string | null;
  readonly names: readonly string[];
  get(name: string): E | undefined;
}
/** The slots of a site. */
export interface EngineRegistry {
  /** Opens a slot; only the plugin that uses it does. Throws ERR_ENGINE_SLOT_OPEN when it is open. */
  open<K extends keyof Engines & string>(slot: K): EngineSlot<Engines[K]>;
  /** An open slot. Throws ERR_ENGINE_SLOT_UNKNOWN. */
  slot<K extends keyof Engines & string>(slot: K): EngineSlot<Engines[K]>;
}

// ---------------------------------------------------------------- HTTP

/** The phases a request passes, in this order. `edge` is reached through `Http.edge`. */
export type Phase = "identity" | "routes" | "pages";
/** The order inside `edge`: log and trace, headers and limits, early answers, held answers. */
export type EdgeStage = "observe" | "protect" | "answer" | "held";
/** A step of the composed edge; true (or a promise of it) when the request has been answered. */
export type EdgeStep = (req: Request, res: Response) => boolean | void | Promise<boolean | void>;
/** An Express 5 handler. */
export type Handler = (req: Request, res: Response, next: NextFunction) => unknown;

/** A finished answer, before it goes out through `http.send`. */
export interface Answer {
  /** Default 200. */
  status?: number;
  /** Content type, with charset for text. */
  type: string;
  body: string | Buffer;
  headers?: Record<string, string>;
  /** Tags of what was read to make it (`page:…`, `nav`, `list`, `config`). Absent: it is never held. */
  reads?: ReadonlySet<string>;
  /** Unix ms after which it is no longer true (a scheduled page). */
  expiresAt?: number | null;
  /** True when it depended on who asked: `Cache-Control: private, no-store`, never held. */
  private?: boolean;
  /** Called each time the answer is sent again without having been made again. */
  onHeld?: () => void;
  /** True when this very buffer goes out many times: its validator is worked out once. */
  lasting?: boolean;
  /** True for a held answer on its way out: it has been through the filters already. */
  final?: boolean;
}
/** Sees every answer before it is written; may add headers, or answer otherwise (304) by returning true. */
export type AnswerFilter = (req: Request, res: Response, answer: Answer) => boolean | void;

/** A documented route: the same declaration validates requests and makes the OpenAPI document. */
export interface RouteDefinition<Q = unknown, B = unknown> {
  method: "get" | "post" | "put" | "patch" | "delete";
  /** Express 5 path: `/api/pages`, `/api/flex/:type`, `/api/pages/*route`. */
  path: string;
  summary: string;
  /** Default: the plugin's name. */
  tag?: string;
  /** Query string; a failure is a 400 that names the parameter. Unknown parameters are ignored. */
  query?: ZodType<Q>;
  /**
   * The query parameters that the answer depends on, where `query` does not name them all; answers
   * are held by these alone. Neither: by the whole address.
   */
  parameters?: DependsOn;
  body?: BodyDefinition<B>;
  /** Status to the schema of its JSON body; null for a status without JSON body. */
  responses?: Record<number, ZodType | null>;
  /** Not in the OpenAPI document (pages for people). */
  hidden?: boolean;
  /**
   * What whoever asks must be allowed, for the documentation: the guard in front of the route asks.
   * Such a route is described to those alone who have signed in.
   */
  permission?: string;
  handler: RouteHandler<Q, B>;
}
/** True for the name of a query parameter (`filter` of `filter[kind]`) that an answer depends on. */
export type DependsOn = (parameter: string) => boolean;
/** A route without its handler. */
export type RouteDescription = Omit<RouteDefinition, "handler">;
/** How a route reads its body; `limit` in bytes. */
export interface BodyDefinition<B = unknown> {
  /** `raw` gives a Buffer; `form` takes urlencoded, and JSON too; `none` leaves the stream alone. */
  as: "json" | "form" | "raw";
  limit: number;
  schema?: ZodType<B>;
}
/** An ordinary handler with the validated input as third parameter. */
export type RouteHandler<Q = unknown, B = unknown> = (
  req: Request,
  res: Response,
  input: { query: Q; body: B; params: Record<string, string> },
) => unknown;

/** What a plugin may do with HTTP. */
export interface Http {
  /** Adds a step to the composed edge. */
  edge(stage: EdgeStage, step: EdgeStep): void;
  /** Adds middleware to a phase, in plugin order. */
  use(phase: Phase, handler: Handler): void;
  /** Declares a route of the `routes` phase. */
  route<Q, B>(definition: RouteDefinition<Q, B>): void;
  /** Describes a route that an edge step or middleware answers, for the documentation alone. */
  describe(definition: RouteDescription): void;
  /** Below this prefix errors and unknown paths are JSON, and onApiRequest/onApiResponse fire. */
  jsonPrefix(prefix: string): void;
  /** Sees every answer sent through `send`. */
  filter(filter: AnswerFilter): void;
  /** Writes an answer: filters, HEAD, Content-Length. The one way out for held answers. */
  send(req: Request, res: Response, answer: Answer): void;
  /** Sends JSON through onApiResponse and `send`. */
  json(req: Request, res: Response, body: unknown, options?: JsonOptions): void | Promise<void>;
  /** Renders error pages for people; without one errors are plain text. */
  errorPage(render: ErrorPage): void;
  /**
   * Takes a connection that came by no port: what is asked over it is answered as over the network,
   * at the address `remoteAddress` of the stream. Only once the registries are sealed.
   */
  accept(connection: Duplex): void;
  /** Every declared route, for documentation and tests. */
  readonly routes: readonly (RouteDefinition & { plugin: string })[];
  /** What `describe` was told. */
  readonly described: readonly (RouteDescription & { plugin: string })[];
}
/** What `http.json` takes beside the body. */
export type JsonOptions = Omit<Answer, "type" | "body">;
/** Makes the HTML of an error page; null to leave it to the kernel. */
export type ErrorPage = (
  req: Request,
  error: { status: number; message: string },
) => Promise<Answer | null> | Answer | null;

/** `req.ctx`: made once per request, before anything else. */
export interface RequestContext {
  /** 16 hex characters; `X-Request-Id` of a trusted proxy is kept. */
  readonly id: string;
  readonly log: Logger;
  /** Decoded path, without query; what cannot be decoded never gets this far. */
  readonly path: string;
  /** Query string without `?`, as sent. */
  readonly search: string;
  /** Address of the client, resolved by `system.server.trust_proxy`. */
  readonly ip: string;
  readonly protocol: "http" | "https";
  /** Language of the request; set by the router of pages. */
  lang: string;
  /** CSP nonce, made when first asked for. */
  nonce(): string;
  /** True once a nonce was asked for: the answer is then of this request alone. */
  readonly hasNonce: boolean;
  /** Which query parameters the answer depends on; absent while nobody has said. */
  dependsOn?: DependsOn | undefined;
  readonly startedAt: number;
  /**
   * What the request was for, out of a small set: the path of a declared route (`/api/pages/*route`),
   * `page`, or `other` for what is answered without either.
   */
  route: string;
  /** 32 hex characters while the request is traced; set by whoever keeps traces. */
  traceId: string | null;
  readonly state: RequestState;
  /** What took how long, for the header `Server-Timing`; only in dev mode. */
  timings?: { add(name: string, ms: number): void; header(): string } | null;
  /** Headers that go out with every answer unless the answer sets them itself. */
  outgoing: Readonly<Record<string, string>>;
}

declare global {
  // oxlint-disable-next-line typescript/no-namespace -- the only way to type Express requests
  namespace Express {
    interface Request {
      ctx: RequestContext;
    }
  }
}

// ---------------------------------------------------------------- traces

/** What is known of a piece of work: short texts and numbers, no secret and no personal data. */
export type TraceFacts = Readonly<Record<string, string | number | boolean>>;
/** Keeps traces: the one that a plugin brings. */
export interface Tracer {
  /**
   * Runs `work` as a part of the work under way, ends it when what it returns has settled, and
   * returns just that; what it throws is noted and thrown on.
   */
  span<T>(name: string, work: () => T, facts?: TraceFacts): T;
  /** What a request to another host carries, by W3C Trace Context; empty outside of a trace. */
  headers(): Readonly<Record<string, string>>;
}
/** The traces of the site, whether somebody keeps them or not. */
export interface Trace extends Tracer {
  /** False: nobody does. Where speed counts, ask before making facts and closures for `span`. */
  readonly on: boolean;
  /** Keeps traces from now on. Throws ERR_TRACER_DUPLICATE. */
  use(tracer: Tracer): void;
}

// ---------------------------------------------------------------- site and plugin

/** All settings after defaults, files, overlay and flags; deeply frozen. */
export interface Settings {
  readonly site: SiteSettings;
  readonly system: SystemSettings;
  readonly admin: AdminSettings;
}
/** Absolute paths of the site. */
export interface Paths {
  readonly root: string;
  readonly content: string;
  /** `admin.dataDir`. */
  readonly data: string;
  /** `admin.runtimeDir`. */
  readonly runtime: string;
  /** Derived data that may be deleted at any time: `.dune/cache`. */
  readonly cache: string;
}
/** Severity. */
export type LogLevel = "debug" | "info" | "warn" | "error";
/** Structured log: an event name (`content.rebuilt`) and its fields. */
export interface Logger {
  debug(event: string, fields?: Record<string, unknown>): void;
  info(event: string, fields?: Record<string, unknown>): void;
  warn(event: string, fields?: Record<string, unknown>): void;
  error(event: string, fields?: Record<string, unknown>): void;
  child(fields: Record<string, unknown>): Logger;
}
/** The clock of the site; tests freeze it. */
export interface Clock {
  /** Unix ms. */
  now(): number;
}
/** The environment, read by the kernel alone. */
export interface Env {
  /** `dev` or `production` (`SITE_ENV`). */
  readonly mode: "dev" | "production";
  /** The value of a variable, undefined when unset or empty. */
  get(name: string): string | undefined;
  /** Expands `$NAME` / `${NAME}` as a whole value, at the time of the call; undefined when unset. */
  expand(value: string): string | undefined;
}
/** What a site was booted for: to answer requests and commands, or to be written out as files. */
export type SitePurpose = "serve" | "export";
/** How a plugin is doing. */
export interface PluginInfo {
  readonly name: string;
  readonly version: string;
  readonly hooks: readonly string[];
  readonly state: "active" | "failed" | "disabled";
  readonly error: string | null;
  readonly firstParty: boolean;
  /** `./plugins/x.ts` or `npm:x@^1.0.0`, as the configuration names it; null for those of the house. */
  readonly src: string | null;
  /** JSON Schema of its `config:` block; null when the plugin has none. */
  configSchema(): Readonly<Record<string, unknown>> | null;
}

/** What `setup` receives; nothing else reaches a plugin. */
export interface SiteContext<C = unknown> {
  /** This plugin's name. */
  readonly name: string;
  readonly settings: Settings;
  /** The plugin's own `config:` block, validated by its `config` schema. */
  readonly config: C;
  readonly hooks: Hooks;
  readonly http: Http;
  readonly engines: EngineRegistry;
  /** Offers a service under a name. Throws ERR_SERVICE_DUPLICATE. */
  provide<K extends keyof Services & string>(name: K, service: Services[K]): void;
  /** The service of another plugin. Throws ERR_SERVICE_UNKNOWN with the plugin to require. */
  use<K extends keyof Services & string>(name: K): Services[K];
  /** The service of another plugin, undefined when it is not selected. */
  find<K extends keyof Services & string>(name: K): Services[K] | undefined;
  readonly log: Logger;
  readonly trace: Trace;
  readonly paths: Paths;
  readonly clock: Clock;
  readonly env: Env;
  /** Work that needs the sealed registries (index, search); runs in plugin order, awaited. */
  onReady(work: () => void | Promise<void>): void;
  /** Runs after `onReady` of all plugins when the site listens: not for commands and static builds. */
  onListen(work: () => void | Promise<void>): void;
  /**
   * Runs in the background once the site is ready: nothing but closing waits for it. A site that does
   * not listen may be a command's or a host's: there it runs a second later.
   */
  afterReady(work: () => void | Promise<void>): void;
  /** Runs in reverse order when the site closes. */
  onClose(work: () => void | Promise<void>): void;
  /**
   * Aborted when closing begins, while open requests are still answered: for streams and waits that
   * would never end by themselves. Work that is owed ends in `onClose`.
   */
  readonly signal: AbortSignal;
  /** `export`: the site is read once, into files; nothing of it is served, watched or kept up to date. */
  readonly purpose: SitePurpose;
  /** True when only code of the house runs (`serve --safe`): no other plugin, no theme of the site. */
  readonly safe: boolean;
  /** What boots this site once more, in a worker thread: see `openSite`. */
  readonly recipe: SiteRecipe;
  /** How every plugin is doing. */
  plugins(): readonly PluginInfo[];
  /** Names of the services that are provided. */
  services(): readonly string[];
  /** `starting` until onReady is through, `draining` once closing has begun. */
  state(): "starting" | "ready" | "draining";
  /** JSON Schema of one config file, for those who show or check it. */
  configSchema(file: ConfigFile): Record<string, unknown>;
  /**
   * What would be wrong with the configuration if `file` (relative to the root, a config file or one
   * that is not there yet) held `text`. Empty: it is valid. Writes nothing and loads no plugin.
   */
  checkConfig(file: string, text: string): Promise<readonly ConfigIssue[]>;
  /** The one writer of the configuration files. */
  readonly configFiles: ConfigWriter;
  /** Loads TypeScript and TSX of the site at run time. */
  readonly modules: Modules;
  /** Folders of templates that plugins bring, in plugin order. */
  readonly templateFolders: readonly string[];
}
/** Run-time modules of a site: themes, migrations, pages written in TSX. */
export interface Modules {
  /** Exports of a module, by absolute path; errors name file, line and column. */
  load(file: string): Promise<Record<string, unknown>>;
  /** Forgets modules of the site root, so that a changed file is read again. */
  forget(): Promise<void>;
  /** Makes `import … from name` in the site's own code give the running instance. */
  provide(name: string, load: () => Promise<Record<string, unknown>>): void;
}
/** One thing wrong with the configuration (specification: `config:validate`). Secrets are masked. */
export interface ConfigIssue {
  /** Relative to the site root. */
  file: string;
  /** From 1. */
  line: number;
  /** From 1. */
  column: number;
  /** Dotted. */
  key: string;
  received: unknown;
  expected: string;
  fix: string;
}
/** A configuration file as it stands. */
export interface ConfigText {
  /** Relative to the site root; where it would be made when it is not there. */
  readonly path: string;
  readonly exists: boolean;
  readonly text: string;
  /** SHA-256 of the text, hex. */
  readonly hash: string;
}
/** Reads and writes the configuration files; what would not be valid is not written. */
export interface ConfigWriter {
  read(file: ConfigFile): Promise<ConfigText>;
  /**
   * Makes a file's next text and writes it, one edit at a time; answers the text that stands. Throws
   * ERR_CONFIG_CHANGED (409) when `ifHash` is not the file's, ERR_CONFIG_REFUSED (400) with every
   * problem when the result would not be valid, ERR_CONFIG_LOCKED (503); the file then stands as it was.
   */
  edit(
    file: ConfigFile,
    next: (before: ConfigText) => string,
    options?: { ifHash?: string },
  ): Promise<ConfigText>;
  /** Throws ERR_CONFIG_REFUSED (400; 413 for a text that is too large). */
  check(path: string, text: string): Promise<void>;
}
/** The three configuration files. */
export type ConfigFile = "site" | "system" | "admin";

/** A plugin's part of the config files: per file, key to zod schema, deeply merged by the kernel. */
export type SettingsSchemas = { [F in ConfigFile]?: ZodObject };

/** A CLI command of a plugin: `site <name>`. */
export interface Command {
  /** `search:compare`. */
  name: string;
  summary: string;
  /** Commander syntax: `<left> <right>`, `[query...]`. */
  arguments?: string;
  /** Commander syntax with help: `["--json", "print JSON"]`. */
  options?: readonly (readonly [flags: string, help: string])[];
  /** The exit code; 0 when it returns nothing. */
  run(input: CommandInput): number | void | Promise<number | void>;
}
/** What a command receives. */
export interface CommandInput {
  args: readonly string[];
  options: Record<string, unknown>;
  /** The booted site (index loaded, no port); closed by the CLI afterwards. */
  site(
    options?: Pick<SiteRecipe, "purpose" | "overrides"> & { log?: Logger },
  ): Promise<SiteContext>;
  out: Output;
  root: string;
}
/** How a site is booted, as plain data that a worker thread can be given; see `openSite`. */
export interface SiteRecipe {
  root: string;
  /** URL of the module that exports the house. */
  house: string;
  purpose?: SitePurpose;
  /** Settings above the files. */
  overrides?: { [F in ConfigFile]?: Record<string, unknown> };
}
/** The configuration before any plugin is loaded: merged, neither checked nor with defaults. */
export type RawConfig = Readonly<Record<ConfigFile, Readonly<Record<string, unknown>>>>;
/** How a site is booted, as plain data that a worker thread can be given; see `openSite`. */
export interface SiteRecipe {
  root: string;
  /** URL of the module that exports the house. */
  house: string;
  purpose?: SitePurpose;
  /** Settings above the files. */
  overrides?: { [F in ConfigFile]?: Record<string, unknown> };
}
/** A step of the start: of the kernel (`plugin` null), or of one plugin. */
export interface BootStep {
  /** `load`: files and modules; `setup`; `hooks`: those of the kernel at the start; `ready`: onReady. */
  readonly step: "load" | "setup" | "hooks" | "ready";
  readonly plugin: string | null;
  readonly ms: number;
}
/** Terminal output; coloured on a terminal, plain when piped. */
export interface Output {
  line(text?: string): void;
  json(value: unknown): void;
  error(text: string): void;
  /** A progress line on stderr; silent when piped. */
  progress(
    label: string,
    total: number,
  ): { tick(done: number, note?: string): void; end(note?: string): void };
  readonly colour: {
    bold(text: string): string;
    dim(text: string): string;
    green(text: string): string;
    red(text: string): string;
    yellow(text: string): string;
    cyan(text: string): string;
  };
}

/** What a plugin's module exports by default (through `definePlugin`, or as a plain object). */
export interface Plugin<C = unknown> {
  /** Unique; the key in the config. */
  name: string;
  version: string;
  description?: string;
  /** Range of the kernel API, checked before setup. */
  engine?: string;
  /** Set up first; absent is a boot error that names both. */
  requires?: readonly string[];
  /** Only ordering, when present. */
  after?: readonly string[];
  /** True: its failure degrades health, the server starts. */
  optional?: boolean;
  /**
   * True: there is nothing for it to do without a server (sessions, logins, deliveries). It is left
   * out of a static export, with every plugin that requires it.
   */
  onlyServing?: boolean;
  settings?: SettingsSchemas;
  /** Checks across keys, after the schemas: returns problems as config errors. */
  check?(settings: Settings): readonly SettingsProblem[];
  /** Schema of the plugin's own `config:` block. */
  config?: ZodType<C>;
  /** Its error codes, each with what it means and what mends it: for the documentation. */
  errors?: Readonly<Record<string, string>>;
  /** Hooks this plugin declares and fires, with their kind. */
  fires?: { [N in HookName]?: HookMap[N]["kind"] };
  hooks?: HookHandlers;
  commands?: readonly Command[];
  /** Folder with templates searched after the theme chain. */
  templates?: string;
  setup?(site: SiteContext<C>): void | Promise<void>;
}
/** A problem found by `Plugin.check`. */
export interface SettingsProblem {
  file: ConfigFile;
  /** Dotted key, as the user writes it. */
  key: string;
  received: unknown;
  expected: string;
  fix: string;
}

/** A plugin by name, with its `config:` block, as the config selects it. */
export interface PluginEntry {
  name?: string;
  src?: string;
  config?: Record<string, unknown>;
  enabled: boolean;
}

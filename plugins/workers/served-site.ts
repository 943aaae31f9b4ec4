import type { Logger, ReloadStatus, ReplaceableSite, Site, Workers, WorkerReply } from "#kernel";
import { SharedPort } from "#lib/http";
import { ConfigStateHolder, noteReload } from "./reload-state.js";
import { LocalCalls } from "./worker-link.js";

/** The view of a site on those that it replaces. */
export interface SiteAmongOthers {
  /** Tells which of the sites of this process leads. */
  readonly workers: Workers;
  readonly reloads: ReloadStatus;
}
/** Dependencies of a served site. */
export interface ServedSiteOptions {
  readonly root: string;
  readonly host: string;
  /** Boots the site, without a port. */
  create(options: SiteAmongOthers): Promise<Site>;
  /** Called for each site before it serves: takes the lock of its runtime folder. */
  created(site: Site): Promise<void>;
}
interface Tenant {
  readonly site: Site;
  readonly successor: Successor;
}

/**
 * The site of a port. A reload boots a second one in memory, checks it and lets it take over the port; the
 * first one finishes its requests and closes. Until then it leads: it watches files and runs jobs.
 */
export class ServedSite implements ReplaceableSite {
  readonly #options: ServedSiteOptions;
  readonly #front = new SharedPort();
  readonly #succession = new Succession();
  readonly #configState = new ConfigStateHolder();
  readonly #leaving = new Set<Promise<void>>();
  #current: Tenant | null = null;
  #reloading: Promise<unknown> = Promise.resolve();
  #reloads = 0;
  #isClosing = false;

  constructor(options: ServedSiteOptions) {
    this.#options = options;
  }

  /** Boots the first site; `booted` is called then. @throws the errors of `createSite` and `created`. */
  async create(booted: () => void): Promise<Site> {
    const tenant = await this.#boot();
    this.#current = tenant;
    booted();
    await this.#options.created(tenant.site);
    return tenant.site;
  }

  /** Listens, then gets ready: see `ready` of the site. @throws ERR_PORT_IN_USE. */
  async listen(port: number): Promise<number> {
    const listening = await this.#front.listen(port, this.#options.host);
    this.site.serveOn(this.#front);
    this.site.prepare().catch(() => undefined);
    return listening;
  }

  /** The site that serves. */
  get site(): Site {
    if (this.#current === null) throw new Error("no site has been created");
    return this.#current.site;
  }

  get log(): Logger & { flush?(): void } {
    return this.site.log;
  }

  get shutdownMs(): number {
    return this.site.shutdownMs;
  }

  retire(): Promise<void> {
    return this.site.retire();
  }

  /**
   * Reads the configuration again. Resolves with null when the new site has taken over, else with the
   * reason why the running one goes on. Reloads run one at a time.
   */
  reload(): Promise<unknown> {
    const reloading = this.#reloading.then(() => this.#reload());
    this.#reloading = reloading.catch(() => undefined);
    return reloading;
  }

  /** Notes a package that this process has loaded in another version. */
  packageChanged(name: string): void {
    this.#configState.packageChanged(name);
  }

  /** Ends all connections at once. */
  cutOff(): void {
    this.#front.cutOff();
  }

  /** Closes the site that serves, and waits for those before it. */
  async close(): Promise<void> {
    this.#isClosing = true;
    await this.#reloading;
    await this.#current?.site.close();
    this.#current?.successor.leave();
    await Promise.all(this.#leaving);
  }

  async #boot(): Promise<Tenant> {
    const successor = this.#succession.join();
    try {
      const { workers } = successor;
      const site = await this.#options.create({ workers, reloads: this.#configState.view() });
      return { site, successor };
    } catch (error) {
      successor.leave();
      throw error;
    }
  }

  async #reload(): Promise<unknown> {
    if (this.#isClosing) return null;
    const { log } = this.site;
    const started = performance.now();
    log.info("site.reloading");
    await this.site.ready.catch(() => undefined);
    const failure = await this.#replace();
    const { runtime } = this.site.context("cli").paths;
    this.#reloads += 1;
    const ms = Math.round(performance.now() - started);
    if (failure === null) {
      const state = this.#configState.succeeded();
      this.site.log.info("site.reloaded", { ms });
      await noteReload(runtime, { ...state, number: this.#reloads }).catch(() => undefined);
      return null;
    }
    const state = this.#configState.failed(failure.error, this.#options.root);
    const fix = "fix the configuration and reload; the site runs on with the one before";
    log.error("site.not_reloaded", { problems: state.problems, fix });
    await noteReload(runtime, { ...state, number: this.#reloads }).catch(() => undefined);
    return failure.error;
  }

  /** Null when another site has taken over. */
  async #replace(): Promise<{ error: unknown } | null> {
    let next: Tenant | null = null;
    try {
      next = await this.#boot();
      await this.#options.created(next.site);
      await next.site.prepare();
      await next.site.check();
    } catch (error) {
      await next?.site.close();
      next?.successor.leave();
      return { error };
    }
    const last = this.#current;
    this.#current = next;
    next.site.serveOn(this.#front);
    if (last !== null) this.#retire(last);
    return null;
  }

  #retire({ site, successor }: Tenant): void {
    const leaving = site
      .leave()
      .catch((error: unknown) => this.log.error("close.failed", { error: String(error) }))
      .finally(() => {
        successor.leave();
        this.#leaving.delete(leaving);
      });
    this.#leaving.add(leaving);
  }
}

/** A site among those that replace each other. */
interface Successor {
  /** Tells the site whether it leads: watches files, runs jobs, saves indexes. */
  readonly workers: Workers;
  /** Call it once the site has closed: the next one leads. */
  leave(): void;
}

/**
 * The oldest site leads until it has closed, so that two never do. The next one leads only then: it looks
 * for what has changed in between, as a worker does when the leader ends.
 */
export class Succession {
  readonly #members: Member[] = [];
  #hadFirst = false;

  /** Adds a site; the first one leads at once. */
  join(): Successor {
    const member = new Member({ members: this.#members, isFirst: !this.#hadFirst });
    this.#hadFirst = true;
    this.#members.push(member);
    return { workers: member, leave: () => this.#leave(member) };
  }

  #leave(member: Member): void {
    const at = this.#members.indexOf(member);
    if (at >= 0) this.#members.splice(at, 1);
    this.#members[0]?.leads();
  }
}

class Member implements Workers {
  readonly id = 0;
  readonly all: [] = [];
  readonly isFirst: boolean;
  readonly #members: readonly Member[];
  readonly #calls = new LocalCalls();
  #waiting: (() => void)[] = [];

  constructor({ members, isFirst }: { members: readonly Member[]; isFirst: boolean }) {
    this.#members = members;
    this.isFirst = isFirst;
  }

  get isLeader(): boolean {
    return this.#members[0] === this;
  }

  whenLeader(work: () => void): void {
    if (this.isLeader) work();
    else this.#waiting.push(work);
  }

  async leader(): Promise<null> {
    return null;
  }

  leads(): void {
    for (const work of this.#waiting.splice(0)) work();
  }

  async ask(to: "primary" | "leader", name: string, input: unknown = null): Promise<unknown> {
    const asked = to === "leader" ? (this.#members[0] ?? this) : this;
    return asked.#calls.answer(name, input);
  }

  async askOthers(name: string, input: unknown = null): Promise<readonly WorkerReply[]> {
    const others = this.#members.filter((member) => member !== this);
    const replies = await Promise.allSettled(
      others.map((other) => other.#calls.answer(name, input)),
    );
    return replies.flatMap((reply, worker) =>
      reply.status === "fulfilled" ? [{ worker, value: reply.value }] : [],
    );
  }

  handle(name: string, work: (input: unknown) => unknown): void {
    this.#calls.handle(name, work);
  }
}

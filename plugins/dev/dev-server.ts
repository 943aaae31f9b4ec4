/** `site dev`. */
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { randomBytes } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import {
  describeFailure,
  type Failure,
  type Launch,
  type Logger,
  type ReplaceableSite,
  silentLog,
} from "#kernel";
import { SiteError } from "#lib/errors";
import { escapeHtml } from "#lib/html";
import { listenOn, reloadClient } from "#lib/http";
import { DevWatch } from "./dev-watch.js";

/** Failures that no change of a file in the site fixes. */
const FATAL: ReadonlySet<string> = new Set([
  "ERR_CLI_OPTION",
  "ERR_CONFIG_ROOT",
  "ERR_PORT_IN_USE",
  "ERR_ROOT_LOCKED",
]);
/** Maximum time that a restart waits for open requests, and that stopping waits for a startup, in ms. */
const DRAIN_MS = 1_000;

/** Serves the site until a signal ends the process, and follows its files; resolves when it has started. */
export async function develop(launch: Launch): Promise<void> {
  const server = new DevServer(launch);
  launch.stopOnSignals(server);
  launch.reloadOnSignals(() => server.reload());
  await server.run();
}

/**
 * A site that is replaced when its configuration or one of its plugins changes, and runs on as it is when the
 * new one does not start. Before the first one has started, the port serves the reason.
 */
class DevServer {
  readonly #launch: Launch;
  readonly #watch: DevWatch;
  #port: number;
  /** Packages that have changed since this process loaded them. */
  readonly #packages = new Set<string>();
  #served: ReplaceableSite | null = null;
  #page: FailurePage | null = null;
  #work: Promise<void> = Promise.resolve();
  #isClosing = false;

  constructor(launch: Launch) {
    this.#launch = launch;
    this.#port = launch.port;
    this.#watch = new DevWatch(launch.root, (paths) => this.#changed(paths));
  }

  /** Starts the site for the first time. @throws errors that no file change can fix. */
  async run(): Promise<void> {
    this.#work = this.#start();
    await this.#work;
  }

  get log(): Logger & { flush?(): void } {
    return this.#served?.log ?? silentLog;
  }

  get shutdownMs(): number {
    return this.#served?.shutdownMs ?? DRAIN_MS;
  }

  /** Handles an uncaught exception: the site stops, and the port serves the reason. */
  crashed(error: Error): void {
    this.#queue(async () => {
      await this.#stop();
      await this.#fail(error, Date.now());
    });
  }

  /** Stops everything, without waiting for a startup that hangs. */
  async close(): Promise<void> {
    this.#isClosing = true;
    this.#watch.close();
    await Promise.race([this.#work, sleep(DRAIN_MS, undefined, { ref: false })]);
    await this.#page?.close();
    await this.#served?.close();
  }

  /** Reads the configuration again; the running site goes on when it is invalid. */
  reload(): void {
    this.#queue(() => this.#reload());
  }

  #queue(work: () => Promise<void>): void {
    this.#work = this.#work.then(async () => {
      if (!this.#isClosing) await work();
    });
    this.#work.catch((error: unknown) => {
      this.#launch.report(error);
      process.exitCode = 1;
      void this.close().then(() => process.exit(1));
    });
  }

  #changed(paths: readonly string[]): void {
    const { out } = this.#launch;
    const packages = new Set(paths.flatMap((path) => this.#watch.findPackage(path) ?? []));
    for (const name of packages) {
      const why = "packages are loaded once per process";
      out.error(`${out.colour.yellow("!")} restart needed: package ${name} has changed; ${why}`);
      this.#packages.add(name);
      this.#served?.packageChanged(name);
    }
    const files = paths.filter((path) => this.#watch.findPackage(path) === undefined);
    if (files.length > 0) this.#queue(() => this.#follow(files));
  }

  /** The changed site is checked beside the running one. */
  async #follow(files: readonly string[]): Promise<void> {
    const { out } = this.#launch;
    const action = this.#served === null ? "restarting" : "reloading";
    out.error(out.colour.dim(`${files.join(", ")} changed: ${action}`));
    if (this.#served !== null) return this.#reload();
    await this.#stop();
    await this.#start();
  }

  async #reload(): Promise<void> {
    const { out } = this.#launch;
    if (this.#served === null) return this.#start();
    this.#watch.add(await this.#launch.startFiles());
    const readAt = Date.now();
    const error = await this.#served.reload();
    if (error === null) {
      this.#watch.add({ files: this.#served.site.sources }, readAt);
      return out.error(`${out.colour.green("✓")} reloaded`);
    }
    this.#explain(error, readAt);
    out.error(`${out.colour.yellow("!")} the site runs on as before`);
  }

  /** Prints why a site does not start, and watches the files that are named: others than expected may be. */
  #explain(error: unknown, readAt: number): Failure {
    const { root, out } = this.#launch;
    this.#launch.report(error);
    const failure = describeFailure(error, root);
    for (const { excerpt } of failure.reasons) if (excerpt !== undefined) out.error(excerpt);
    const named = failure.reasons.flatMap(({ place }) => place?.replace(/:\d+:\d+$/, "") ?? []);
    this.#watch.add({ files: named.map((file) => join(root, file)) }, readAt);
    return failure;
  }

  async #start(): Promise<void> {
    const readAt = Date.now();
    try {
      this.#watch.add(await this.#launch.startFiles());
      const opened = await this.#launch.open(this.#port);
      this.#port = opened.port;
      this.#served = opened.served;
      for (const name of this.#packages) opened.served.packageChanged(name);
      if (this.#isClosing) await opened.served.close();
      else this.#watch.add({ files: opened.served.site.sources }, readAt);
    } catch (error) {
      if (error instanceof SiteError && FATAL.has(error.code)) {
        this.#watch.close();
        throw error;
      }
      await this.#fail(error, readAt);
    }
  }

  async #fail(error: unknown, readAt: number): Promise<void> {
    const { host, out } = this.#launch;
    this.#page = new FailurePage(this.#explain(error, readAt));
    this.#port = await this.#page.listen(this.#port, host);
    const url = `http://${host}:${this.#port}`;
    out.error(`${out.colour.yellow("!")} waiting for a file change; ${url} shows the error`);
  }

  async #stop(): Promise<void> {
    const [served, page] = [this.#served, this.#page];
    this.#served = null;
    this.#page = null;
    await page?.close();
    if (served === null) return;
    const limit = setTimeout(() => served.cutOff(), DRAIN_MS);
    await served.close();
    clearTimeout(limit);
  }
}

const STYLE = `:root{color-scheme:light dark}body{margin:0;font:1rem/1.6 system-ui,sans-serif}
main{max-width:60rem;margin:0 auto;padding:2rem 1.25rem}h1{font-size:1.4rem}h2{font-size:1rem;margin:1.5rem 0 .25rem;overflow-wrap:anywhere}
p{margin:.25rem 0;white-space:pre-wrap;overflow-wrap:anywhere}pre{overflow:auto;padding:1rem;border:1px solid #8886;border-radius:.5rem;font-size:.875rem}`;

/** Serves the port of a site that cannot start: the reason, and a reload once it starts. */
export class FailurePage {
  readonly #server: Server;
  readonly #streams = new Set<ServerResponse>();
  readonly #failure: Failure;

  constructor(failure: Failure) {
    this.#failure = failure;
    this.#server = createServer((req, res) => this.#answer(req, res));
  }

  /** Resolves with the port. */
  listen(port: number, host: string): Promise<number> {
    return listenOn(this.#server, port, host);
  }

  /** Frees the port; open pages then reconnect and reload. */
  async close(): Promise<void> {
    for (const stream of this.#streams) stream.end();
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.#server.closeAllConnections();
    await closed;
  }

  #answer(req: IncomingMessage, res: ServerResponse): void {
    const accepted = req.headers.accept ?? "";
    if (req.url === reloadClient.events) return this.#stream(res);
    if (accepted.includes("text/html")) return sendHtml(res, this.#failure);
    const [reason] = this.#failure.reasons;
    const body = {
      error: `the site cannot start: ${reason?.cause}`,
      details: this.#failure.reasons,
    };
    res.writeHead(500, { ...HEADERS, "Content-Type": "application/json; charset=utf-8" });
    res.end(JSON.stringify(body));
  }

  #stream(res: ServerResponse): void {
    res.writeHead(200, { ...HEADERS, "Content-Type": "text/event-stream; charset=utf-8" });
    res.write(reloadClient.opening);
    this.#streams.add(res);
    res.once("close", () => this.#streams.delete(res));
  }
}

const HEADERS = { "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff" };

function sendHtml(res: ServerResponse, { reasons, stack }: Failure): void {
  const nonce = randomBytes(16).toString("base64url");
  const policy = `default-src 'none'; connect-src 'self'; style-src 'nonce-${nonce}'; script-src 'nonce-${nonce}'`;
  const trace = stack.length === 0 ? "" : `<h2>Stack</h2>${pre(stack.join("\n"))}`;
  const html = [
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">`,
    `<title>The site cannot start</title><style nonce="${nonce}">${STYLE}</style></head>`,
    `<body><main><h1>The site cannot start</h1>${reasons.map(reasonHtml).join("")}${trace}`,
    `<p>This page reloads when a saved file fixes the problem.</p></main>`,
    `<script nonce="${nonce}">${reloadClient.script}</script></body></html>`,
  ].join("");
  const type = "text/html; charset=utf-8";
  res.writeHead(500, { ...HEADERS, "Content-Type": type, "Content-Security-Policy": policy });
  res.end(html);
}

function reasonHtml({ place, cause, fix, excerpt }: Failure["reasons"][number]): string {
  const heading = place === undefined ? "" : `<h2>${escapeHtml(place)}</h2>`;
  const remedy = fix === undefined ? "" : `<p>Fix: ${escapeHtml(fix)}</p>`;
  return `${heading}<p>${escapeHtml(cause)}</p>${remedy}${excerpt === undefined ? "" : pre(excerpt)}`;
}

function pre(text: string): string {
  return `<pre>${escapeHtml(text)}</pre>`;
}

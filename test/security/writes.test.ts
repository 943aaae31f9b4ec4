import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { parse } from "yaml";
import { callTool, confirmationOf, Prepared } from "../support/rights/prepared.js";
import { count, printCounts } from "../support/rights/report.js";
import { bootRights, type Identity, type RightsSite } from "../support/rights/rights-site.js";
import { SiteFiles, type FileChange } from "../support/rights/site-files.js";
import {
  initOf,
  requestsFor,
  routeName,
  type DeclaredRoute,
  type RouteRequest,
} from "../support/rights/route-requests.js";
import {
  ADDRESSES,
  CANARY_FILE,
  content,
  mdxCanary,
  targetsWith,
  type Target,
} from "../support/rights/targets.js";

/** Files that the site runs. */
const CODE = /\.(?:mdx|tsx?|jsx?|mjs|cjs)$/i;
/** Roles and tokens that some writes are not for. */
const LIMITED = [
  "author",
  "clerk",
  "blogger",
  "writer",
  "contributor",
  "token of a writer",
  "token with paths",
  "token with fields",
  "editor",
];
/** Has the rights of an author: only sends what agents can send. */
const AGENT = "token of an author";
const OUTSIDERS = ["anonymous", "visitor", "member", "expired token", "revoked token"];

/** What a request may have broken. */
interface Outcome {
  readonly files: readonly FileChange[];
  readonly hasRun: boolean;
  /** Addresses with another answer to anonymous requests. */
  readonly shown: readonly string[];
  /** Those of them that show another page, or none. */
  readonly taken: readonly string[];
  /** True when working copies, deleted pages, conflicts or links of other paths changed. */
  readonly hasForeignRecords: boolean;
}

/** Why an identity must not have caused this; empty when it may. */
function violations(identity: Identity, outcome: Outcome): string[] {
  const { permissions, hasPaths, ownsPages, fields } = identity;
  const { files, hasRun, shown, taken } = outcome;
  const found: string[] = [];
  const paths = files.map(({ path }) => path);
  const add = (what: string, where: readonly string[]): void => {
    if (where.length > 0) found.push(`${what}: ${where.join(", ")}`);
  };
  if (!permissions.has("plugins.manage")) {
    if (hasRun) found.push("text of the request ran as code");
    add(
      "changed code",
      paths.filter((path) => CODE.test(path) || /^(?:themes|plugins)\//.test(path)),
    );
  }
  if (!permissions.has("pages.publish")) add("changed what the public sees", shown);
  if (ownsPages) {
    const theirs = files.filter((file) => file.path.startsWith("content/") && !isNewPage(file));
    add(
      "changed pages or media of others",
      theirs.map(({ path }) => path),
    );
    add("took the address of a page of others", taken);
    if (outcome.hasForeignRecords) found.push("changed records of pages of others");
  }
  if (!permissions.has("config.update")) {
    const settings = files.filter(isSetting);
    add(
      "changed the configuration",
      settings.map((file) => file.path),
    );
  }
  if (hasPaths) {
    const others = paths.filter((path) => path.startsWith("content/") && !isOwn(path));
    add("changed files outside of its paths", others);
    add(
      "claimed an address outside of its paths",
      shown.filter((path) => !path.includes("blog")),
    );
    if (outcome.hasForeignRecords) found.push("changed records of other paths");
  }
  if (fields !== null) {
    const limited = files.filter(({ path }) => /^(?:content|flex-objects)\//.test(path));
    const others = limited.filter((change) => !isOnlyTitle(change) && !isOnlyTitleOf(change));
    add(
      "changed other fields",
      others.map(({ path }) => path),
    );
  }
  return found;
}

/** A change of the configuration, but for the redirects that moves add. */
function isSetting({ path, before, after }: FileChange): boolean {
  if (!/^(?:site|system|admin)\.yaml$/.test(path)) return false;
  const settings = (bytes: Buffer | null): unknown => {
    const { redirects: _, ...others } = parse(bytes?.toString() ?? "") ?? {};
    return others;
  };
  return !isDeepStrictEqual(settings(before), settings(after));
}

/** True for an answer that shows something else. An address without a page may become a redirect. */
function isOther(before = "", after = ""): boolean {
  return before !== after && !(before.startsWith("404") && after.startsWith("30"));
}

/** True for a new page that names the account that has created it, and for its media. */
function isNewPage({ path, before, after }: FileChange): boolean {
  if (before !== null || after === null) return false;
  return /\.mdx?$/i.test(path)
    ? /^owner: \w+$/m.test(after.toString())
    : /\/\d+\.[\w-]+-copy\//.test(path);
}

/** True for an answer with a page whose place another one takes, or that is missing. */
function isTaken(before = "", after = ""): boolean {
  const titleOf = (answer: string): string =>
    /<title>([^<]*)/.exec(answer)?.[1] ?? answer.slice(0, 3);
  return before.startsWith("200") && titleOf(before) !== titleOf(after);
}

/** `blog/**`, with number prefixes. */
function isOwn(path: string): boolean {
  return /^content\/\d+\.blog(?:\/|$)/.test(path);
}

/** True when texts differ in lines of the title only. */
function isOnlyTitle({ before, after }: FileChange): boolean {
  if (after === null) return false;
  // A new page may be a draft that has a title only. The site writes its owner.
  if (before === null) {
    return (
      after
        .toString()
        .replace(/^(?:title:.*|status: draft|owner: \w+)\n/gm, "")
        .trim() === "---\n---"
    );
  }
  const rest = (bytes: Buffer): string =>
    bytes
      .toString()
      .replace(/^title:.*\n/m, "")
      .replaceAll(/[ \t]/g, "");
  return rest(before) === rest(after);
}

/** True when a record has the same fields but for its title; the site sets those with `_`. */
function isOnlyTitleOf({ before, after }: FileChange): boolean {
  if (before === null || after === null) return false;
  const fields = (bytes: Buffer): unknown =>
    Object.entries(parse(bytes.toString()) ?? {}).filter(([key]) => !/^(?:_|title$)/.test(key));
  return isDeepStrictEqual(fields(before), fields(after));
}

/** Which requests an attack sends. */
interface AttackOptions {
  targets: readonly Target[];
  /** True: stops after a request that did something. */
  isOnce?: boolean;
  /** How many of the bodies and queries of a route. */
  variants?: number;
}

/** A site with its targets, and what an identity did to it. */
class Bench {
  readonly counts = new Map<string, number>();
  readonly #site: RightsSite;
  readonly #files: SiteFiles;
  readonly #prepared: Prepared;
  readonly #canary: string;
  readonly #targets: readonly Target[];
  /** Requests that need nothing prepared, by route and target. */
  readonly #requests = new Map<string, readonly RouteRequest[]>();
  #view = new Map<string, string>();
  /** True when a request has used up something that was prepared. */
  #isUsedUp = false;

  constructor(site: RightsSite, { hasGit }: { hasGit: boolean }) {
    this.#site = site;
    this.#files = new SiteFiles(site.root);
    this.#canary = join(site.root, CANARY_FILE);
    const canary = mdxCanary(this.#canary);
    this.#prepared = new Prepared(site, { canary, hasGit });
    this.#targets = targetsWith(canary);
  }

  async start(): Promise<void> {
    await this.#prepared.start();
    await this.#remember();
  }

  /** One target of each kind. */
  get firstTargets(): readonly Target[] {
    const names = this.#targets.map(({ name }) => name);
    return this.#targets.filter(({ name }, at) => names.indexOf(name) === at);
  }

  get targets(): readonly Target[] {
    return this.#targets;
  }

  /**
   * Sends every request of a route about the targets, the variants one after the other; the violations,
   * and whether one of the requests did something.
   */
  async attack(
    identity: Identity,
    route: DeclaredRoute,
    { targets, isOnce = false, variants = 40 }: AttackOptions,
  ): Promise<{ found: string[]; isDone: boolean; isAbout: boolean }> {
    const found: string[] = [];
    const sent = new Set<string>();
    let [isDone, isAbout] = [false, false];
    for (let at = 0; at < variants; at += 1) {
      if (this.#isUsedUp) await this.#prepareAgain();
      const before = sent.size;
      for (const target of targets) {
        const request = (await this.#requestsOf(route, target))[at];
        if (request === undefined) continue;
        isAbout ||= request.isAboutSubject;
        const key = `${request.address} ${JSON.stringify(request.body)}`;
        if (sent.has(key) || (sent.size > before && !request.isAboutSubject)) continue;
        sent.add(key);
        isDone = (await this.#attempt(identity, { target, request }, found)) || isDone;
        if (isOnce && isDone) return { found, isDone, isAbout };
      }
      if (sent.size === before) break;
    }
    const left = await this.#files.changes();
    if (left.length > 0 || existsSync(this.#canary)) {
      const outcome = { ...(await this.#outcomeOf(identity, "")), hasForeignRecords: false };
      for (const one of violations(identity, outcome)) found.push(`${routeName(route)}: ${one}`);
      await this.#undo(outcome.files);
    }
    return { found, isDone, isAbout };
  }

  /** Sends a request, and again as a tool of agents; true when it did something. */
  async #attempt(
    identity: Identity,
    { target, request }: { target: Target; request: RouteRequest },
    found: string[],
  ): Promise<boolean> {
    const ways = [() => this.#sent(identity, request)];
    const { tool } = request.route;
    if (tool !== undefined && identity.kind === "token") {
      ways.push(() => this.#called(identity, tool.name, request));
    }
    const shown = `${request.method} ${request.address} ${JSON.stringify(request.body)}`;
    let isDone = false;
    // Working copies of other paths are prepared for the request.
    const isLimited = identity.hasPaths || identity.ownsPages;
    const isAboutRecords = isLimited && this.#prepared.needs(request.route.path);
    const records = isAboutRecords ? await this.#prepared.foreignRecords(identity) : "";
    for (const [at, send] of ways.entries()) {
      const { status, text } = await send();
      const isOne = status < 400 && !/"status":"error"|"isError":true/.test(text);
      count(this.counts, `${identity.name}: ${isOne ? "done" : "refused"}`);
      isDone ||= isOne;
      // What a refused request has left is found after the last one of the route.
      if (status >= 400) continue;
      const left = isAboutRecords ? await this.#prepared.foreignRecords(identity) : "";
      const outcome = {
        ...(await this.#outcomeOf(identity, text)),
        hasForeignRecords: left !== records,
      };
      const where = at === 0 ? shown.slice(0, 240) : `tool ${tool?.name} ${shown.slice(0, 200)}`;
      for (const one of violations(identity, outcome)) {
        found.push(`${target.name}: ${where}: ${status}: ${one}`);
      }
      await this.#undo(outcome.files);
      this.#isUsedUp ||= this.#prepared.isUsedUp(request.route.path);
    }
    return isDone;
  }

  async #requestsOf(route: DeclaredRoute, target: Target): Promise<readonly RouteRequest[]> {
    if (this.#prepared.needs(route.path)) {
      return requestsFor(route, await this.#prepared.complete(target, route.path));
    }
    const key = `${routeName(route)} ${this.#targets.indexOf(target)}`;
    const known = this.#requests.get(key) ?? requestsFor(route, target.subject);
    this.#requests.set(key, known);
    return known;
  }

  async #sent(
    identity: Identity,
    request: RouteRequest,
  ): Promise<{ status: number; text: string }> {
    const send = () =>
      fetch(this.#site.url + request.address, {
        ...initOf(request, identity.headers()),
        redirect: "manual",
      });
    let answer = await send();
    if (answer.status === 401 && identity.kind === "session") {
      await identity.renew();
      answer = await send();
    }
    return { status: answer.status, text: await answer.text() };
  }

  /** The same write by a tool of agents, confirmed. */
  async #called(
    identity: Identity,
    name: string,
    request: RouteRequest,
  ): Promise<{ status: number; text: string }> {
    const call = (more: object) =>
      callTool(this.#site.url, identity.headers(), {
        name,
        arguments: { ...request.values, ...more },
      });
    const confirm = confirmationOf(await call({}));
    if (confirm === null) return { status: 403, text: "" };
    return { status: 200, text: JSON.stringify(await call({ confirm })) };
  }

  /** What a request has changed. Pages are opened, so that their text runs if it is code. */
  async #outcomeOf(identity: Identity, text: string): Promise<Omit<Outcome, "hasForeignRecords">> {
    const files = await this.#files.changes();
    const { bySource } = this.#site.site.use("content").generation();
    const pages = files.flatMap(
      ({ path }) => bySource.get(path.replace("content/", ""))?.url ?? [],
    );
    const links = /\/_site\/preview\/[\w-]+/.exec(text) ?? [];
    for (const address of [...pages, ...links]) {
      const answer = await fetch(this.#site.url + address, { headers: identity.headers() });
      await answer.arrayBuffer();
    }
    const { hasPaths, ownsPages, permissions } = identity;
    const isLimited = hasPaths || ownsPages || !permissions.has("pages.publish");
    const view = isLimited && files.length > 0 ? await this.#anonymousView() : this.#view;
    return {
      files,
      hasRun: existsSync(this.#canary),
      shown: ADDRESSES.filter((address) => isOther(this.#view.get(address), view.get(address))),
      taken: ADDRESSES.filter((address) => isTaken(this.#view.get(address), view.get(address))),
    };
  }

  async #undo(changes: readonly FileChange[]): Promise<void> {
    await rm(this.#canary, { force: true });
    if (changes.length === 0) return;
    if (changes.some(({ path }) => path === "site.yaml")) await this.#prepared.removeRedirects();
    await this.#site.site.use("content").update(async () => {
      await this.#files.restore(changes);
      return changes.flatMap(({ path }) => (path.startsWith("content/") ? [path.slice(8)] : []));
    });
  }

  async #prepareAgain(): Promise<void> {
    this.#isUsedUp = false;
    await this.#prepared.refresh();
    await this.#remember();
  }

  async #remember(): Promise<void> {
    await this.#files.remember();
    this.#view = await this.#anonymousView();
  }

  async #anonymousView(): Promise<Map<string, string>> {
    const seen = new Map<string, string>();
    for (const address of ADDRESSES) {
      const answer = await fetch(this.#site.url + address, { redirect: "manual" });
      const text = (await answer.text()).replaceAll(/nonce="[^"]*"/g, "");
      seen.set(address, `${answer.status} ${text}`);
    }
    return seen;
  }
}

/** Routes that exist only with a git remote. */
const isOfGit = ({ path }: DeclaredRoute): boolean => /\/(?:conflicts|git-sync)(?:\/|$)/.test(path);

for (const hasGit of [false, true]) {
  const where = hasGit ? "conflicts with a git remote" : "every way of writing";
  describe(`${where}, for every identity and target`, function () {
    this.timeout(300_000);
    let site: RightsSite;
    let bench: Bench;
    let routes: readonly DeclaredRoute[];
    before(async () => {
      site = await bootRights(content, { hasGit });
      bench = new Bench(site, { hasGit });
      await bench.start();
      const { http } = site.site.context("admin");
      routes = http.routes.filter((route) => route.method !== "get" && isOfGit(route) === hasGit);
    });
    after(async () => {
      printCounts("writes by identity and outcome", bench.counts);
      await site.close();
    });

    for (const name of [...LIMITED, AGENT]) {
      it(`leaves to others what is not for ${name}`, async () => {
        const identity = site.identities.get(name) ?? assert.fail(name);
        const unexpected: string[] = [];
        for (const route of routes) {
          if (name === AGENT && route.tool === undefined) continue;
          const options = { targets: bench.targets };
          unexpected.push(...(await bench.attack(identity, route, options)).found);
        }
        assert.deepEqual(unexpected, []);
      });
    }

    it("leaves everything as it is for those without rights in the panel", async () => {
      const unexpected: string[] = [];
      for (const name of OUTSIDERS) {
        const identity = site.identities.get(name) ?? assert.fail(name);
        for (const route of routes) {
          // The guard comes before the body.
          const options = { targets: bench.firstTargets, variants: 1 };
          const { found } = await bench.attack(identity, route, options);
          unexpected.push(...found.map((one) => `${name}: ${one}`));
        }
      }
      assert.deepEqual(unexpected, []);
    });

    it("writes for an admin, so that the requests of this test do something", async () => {
      const admin = site.identities.get("admin") ?? assert.fail("no admin");
      const never: string[] = [];
      for (const route of routes) {
        const options = { targets: bench.targets.toReversed(), isOnce: true };
        const { isDone, isAbout } = await bench.attack(admin, route, options);
        // Others are about accounts, settings, deliveries and submissions, which are not prepared.
        const isOfContent =
          /^(?:pages|media|flex)\./.test(route.permission ?? "") && !route.path.includes("/forms/");
        if (isAbout && isOfContent && !isDone) never.push(routeName(route));
      }
      assert.deepEqual(never, []);
    });
  });
}

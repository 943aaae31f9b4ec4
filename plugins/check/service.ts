/** Checks of the content as a whole, and moves that update links. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { KeyedLock, safeJoin, type SiteContext } from "#kernel";
import { atEndOfStep } from "#lib/files";
import type { ContentProblem, ContentService } from "../content/contract.js";
import type { FlexChange } from "../flex/contract.js";
import type {
  CheckService,
  MoveOptions,
  MoveReport,
  PageMove,
  PageReference,
  PageTarget,
  PageTranslations,
  TextReference,
} from "./contract.js";
import { findProblems, type OnPage } from "./find-problems.js";
import { LinkGraph, withLooseLinks } from "./link-graph.js";
import { movesFor, movesTo, routeError } from "./page-route.js";
import { Mapping, planMove } from "./plan-move.js";
import { movedRecords, findReferences, recordPath } from "./references.js";
import { scanReferences } from "./scan-references.js";
import { LiveRedirects } from "./redirects.js";
import { translationsOfPage } from "./translations.js";

const MOVING = "move";
// Addresses that plugins serve without a declared route: only the plugin can check them.
const FOREIGN =
  /^\/(?:flex|plugins)\/|\/(?:feed\.(?:xml|json)|atom\.xml)$|^\/(?:sitemap[^/]*\.xml|robots\.txt)$/;
const STATIC_PREFIX = "/static/";

/** The check service of a site. */
export class Checks implements CheckService {
  readonly #site: SiteContext;
  readonly #content: ContentService;
  readonly #graph: LinkGraph;
  readonly #lock = new KeyedLock();
  readonly redirects: LiveRedirects;

  constructor(site: SiteContext) {
    this.#site = site;
    this.#content = site.use("content");
    const isForeign = (path: string): boolean =>
      FOREIGN.test(path) || this.#content.claimOf(path) !== null || isStaticFile(site, path);
    this.#graph = new LinkGraph(this.#content, isForeign);
    this.redirects = new LiveRedirects(site);
  }

  async problems(onPage?: OnPage): Promise<readonly ContentProblem[]> {
    return findProblems(this.#site, await this.#graph.links(), onPage);
  }

  async references(...files: readonly string[]): Promise<readonly PageReference[]> {
    const paths = files.map((path) => path.replace(/^content\//, ""));
    return findReferences(this.#site, await this.#graph.links(), new Set(paths));
  }

  scan(text: string): readonly TextReference[] {
    return scanReferences(text);
  }

  translations(sourcePath: string): PageTranslations | null {
    const { bySource, entries } = this.#content.generation();
    const page = bySource.get(sourcePath);
    if (page === undefined) return null;
    return translationsOfPage(entries, page, this.#site.settings.system.languages);
  }

  movesFor(route: string, newRoute: string): readonly PageMove[] {
    const lang = this.#site.settings.system.languages.default;
    return movesFor(this.#content.generation(), route, newRoute, lang);
  }

  movesTo(sourcePath: string, target: PageTarget): readonly PageMove[] {
    const generation = this.#content.generation();
    const entry = generation.bySource.get(sourcePath);
    if (entry === undefined)
      throw routeError(`there is no page ${JSON.stringify(sourcePath)}`, 404);
    return movesTo(generation, entry, target);
  }

  /** A step that a kill undoes: files, links and records, and last the redirects, with which it is done. */
  move(moves: readonly PageMove[], options: MoveOptions = {}): Promise<MoveReport> {
    return this.#lock.run(MOVING, async () => {
      const errors: string[] = [];
      const report = await this.#content.asStep("move", () =>
        this.#move(moves, options, (error) => errors.push(error)),
      );
      const [redirectError = null] = errors;
      return { ...report, redirects: this.redirects.current, redirectError };
    });
  }

  async #move(
    moves: readonly PageMove[],
    { redirect = true, ...options }: MoveOptions,
    failed: (error: string) => void,
  ): Promise<Omit<MoveReport, "redirects" | "redirectError">> {
    const links = await withLooseLinks(this.#site, await this.#graph.links());
    const plan = await planMove(this.#content, links, moves);
    const unchecked = { ...options, validate: false };
    const tried = await this.#content.apply(plan, { ...unchecked, dryRun: true });
    const isRefused = tried.some(({ status }) => status === "error");
    const mapping = new Mapping(moves, links, this.#content.addresses);
    const records = await movedRecords(this.#site, (path) => mapping.path(path));
    const rewritten = [
      ...new Set(plan.flatMap(({ op, path }) => (op === "move" ? [] : [path]))),
      ...records.flatMap((one) => (one.op === "update" ? [recordPath(one)] : [])),
    ];
    if (isRefused) return { ok: false, results: tried, rewritten: [], addresses: {} };
    const addresses = this.#addresses(moves, mapping);
    if (options.dryRun === true) return { ok: true, results: tried, rewritten, addresses };
    const before = this.#urls(moves, ({ path }) => path);
    const results = await this.#content.apply(plan, unchecked);
    const ok = results.every(({ status }) => status !== "error");
    if (ok) await this.#rewriteRecords(records, options);
    const after = this.#urls(moves, ({ to }) => to);
    const added = redirect ? pairs(before, after) : {};
    await atEndOfStep(this.redirects.add, { added, failed });
    return { ok, results, rewritten, addresses: ok ? addresses : {} };
  }

  /** Old to new address of the pages that move. */
  #addresses(moves: readonly PageMove[], mapping: Mapping): Record<string, string> {
    const moved = this.#content
      .generation()
      .entries.filter(
        ({ routable, sourcePath }) =>
          routable &&
          moves.some(({ path }) => sourcePath === path || sourcePath.startsWith(`${path}/`)),
      );
    const changed = moved.flatMap((entry) => {
      const to = mapping.url(entry);
      return to === entry.url ? [] : [[decodeURI(entry.url), decodeURI(to)] as const];
    });
    return Object.fromEntries(changed);
  }

  /** A record that does not fit its type stays as it is: `content:check` reports it. */
  async #rewriteRecords(
    changes: readonly FlexChange[],
    { actor = null, message = "" }: MoveOptions,
  ): Promise<void> {
    const flex = this.#site.use("flex", { optional: true });
    // The records follow the pages that move: no right of the author's is needed.
    const results = (await flex?.apply(changes, { actor, message })) ?? [];
    for (const { status, type, id, errors } of results) {
      if (status === "error") this.#site.log.warn("check.record_not_moved", { type, id, errors });
    }
  }

  /** Address of every page of the moves, by its path. */
  #urls(moves: readonly PageMove[], side: (move: PageMove) => string): Map<string, string> {
    const urls = new Map<string, string>();
    for (const { sourcePath, url, routable } of this.#content.generation().entries) {
      for (const [at, move] of moves.entries()) {
        const path = side(move);
        if (!routable || (sourcePath !== path && !sourcePath.startsWith(`${path}/`))) continue;
        urls.set(`${at} ${sourcePath.slice(path.length)}`, url);
      }
    }
    return urls;
  }
}

function isStaticFile({ paths }: SiteContext, path: string): boolean {
  if (!path.startsWith(STATIC_PREFIX)) return false;
  const file = safeJoin(join(paths.root, "static"), path.slice(STATIC_PREFIX.length));
  return file !== null && existsSync(file);
}

function pairs(
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
): Record<string, string> {
  const added = [...before].flatMap(([key, url]) => {
    const now = after.get(key);
    return now === undefined || now === url ? [] : [[decodeURI(url), decodeURI(now)] as const];
  });
  return Object.fromEntries(added);
}

import { join } from "node:path";
import {
  HttpError,
  type SiteContext,
  escapeHtml,
  type Answer,
  describeFailure,
  partName,
  type RouteHandler,
} from "#kernel";
import { excerptOf } from "#lib/modules";
import type {
  ContentProblem,
  ContentService,
  Generation,
  PageEntry,
} from "../../content/contract.js";
import type { PageRequest } from "../contract.js";

/** A mistake as the overlay shows it: plain texts. */
export interface Mistake {
  severity: "error" | "warning";
  /** True when it breaks what the author looks at: the overlay opens. */
  isUrgent: boolean;
  cause: string;
  /** `content/a.md:3`. */
  place?: string;
  fix?: string;
  /** The effect on the running site. */
  note?: string;
  /** The lines around the place. */
  excerpt?: string;
}

/** The place of a problem in the list. */
interface ListPlace {
  /** Position among problems of its urgency: only the first ones have an excerpt. */
  at: number;
  isUrgent: boolean;
}

const MAX_SHOWN = 200;
/** Checks of larger trees would slow down every reload. */
const MAX_CHECKED = 2_000;
/** Excerpts are read from disk. */
const MAX_EXCERPTS = 30;

/** The mistakes of a site in dev mode: of its templates, plugins, content and links. */
export class Mistakes {
  readonly #site: SiteContext;
  readonly #content: ContentService;
  readonly #failures = new Map<string, readonly Mistake[]>();
  #checked: { generation: Generation; problems: Promise<readonly ContentProblem[]> } | null = null;

  constructor(site: SiteContext, content: ContentService) {
    this.#site = site;
    this.#content = content;
  }

  /** Runs `work`; a failure is listed until `work` of the same name succeeds. */
  async watch<T>(name: string, work: () => Promise<T>): Promise<T> {
    try {
      const result = await work();
      this.#failures.delete(name);
      return result;
    } catch (error) {
      this.failed(name, error);
      throw error;
    }
  }

  /** Lists a failure until `work` of the same name succeeds; errors meant for clients are no mistakes. */
  failed(name: string, error: unknown): void {
    if (error instanceof HttpError) return;
    const { reasons } = describeFailure(error, this.#site.paths.root);
    const failures = reasons.map(
      (reason) => ({ severity: "error", isUrgent: true, ...reason }) as const,
    );
    this.#failures.set(name, failures);
  }

  /** True when a failure is listed under this name. */
  has(name: string): boolean {
    return this.#failures.has(name);
  }

  /** Drops what has failed: something changed, and what still fails is found again. */
  clear(): void {
    this.#failures.clear();
    this.#checked = null;
  }

  /** All mistakes, the urgent ones first. */
  async list(): Promise<readonly Mistake[]> {
    const now = this.#content.problems();
    const urgent = now.filter(({ severity }) => severity === "error");
    const isKnown = new Set(urgent.map(mistakeId));
    // Those of files beside the content change without a new version of the tree.
    const checked = (await this.#check()).filter(({ isInRoot }) => isInRoot !== true);
    const others = [...now.filter(({ isInRoot }) => isInRoot === true), ...checked].filter(
      (problem) => !isKnown.has(mistakeId(problem)),
    );
    return [
      ...[...this.#failures.values()].flat(),
      ...this.#ofReload(),
      ...this.#ofPlugins(),
      ...urgent.map((problem, at) => this.#ofContent(problem, { at, isUrgent: true })),
      ...others.map((problem, at) => this.#ofContent(problem, { at, isUrgent: false })),
    ].slice(0, MAX_SHOWN);
  }

  /** A changed configuration, or a changed plugin, that the running site did not take over. */
  #ofReload(): Mistake[] {
    const { root } = this.#site.paths;
    return this.#site.runtime.configState().problems.map(({ file, line, cause, fix }): Mistake => {
      const excerpt = file === null || line === null ? null : excerptOf(join(root, file), line);
      return {
        severity: "error",
        isUrgent: true,
        cause,
        ...(file !== null && { place: line === null ? file : `${file}:${line}` }),
        fix: fix ?? "correct it and save",
        note: "until this is fixed, the site runs as it did before the change",
        ...(excerpt !== null && { excerpt }),
      };
    });
  }

  /** Plugins that did not start, and packages that changed since. */
  #ofPlugins(): Mistake[] {
    const { runtime } = this.#site;
    const failed = runtime.plugins().flatMap(({ name, error }) => {
      const cause = `the plugin ${name} has failed: ${error}`;
      return error === null ? [] : [{ severity: "error", isUrgent: true, cause } as const];
    });
    const stale = [...runtime.changedPackages].map((name): Mistake => {
      const cause = `restart needed: package ${name} has changed, and packages are loaded once per process`;
      return { severity: "error", isUrgent: true, cause, fix: "stop site dev and start it again" };
    });
    return [...failed, ...stale, ...this.#ofHandlers()];
  }

  /** Handlers of hooks and extensions that have failed; one that is switched off is urgent. */
  #ofHandlers(): Mistake[] {
    const { hooks, extensions } = this.#site;
    const stats = [
      ...hooks.stats().map((stat) => ({ ...stat, place: stat.hook })),
      ...extensions.stats().map((stat) => ({ ...stat, place: partName(stat) })),
    ];
    return stats.flatMap(({ plugin, place, errors, open, lastError }): Mistake[] => {
      if (errors === 0) return [];
      const cause = `the plugin ${plugin} fails in ${place}: ${lastError}`;
      const note = open ? "it is switched off for a minute; pages are shown without it" : undefined;
      return [{ severity: "error", isUrgent: open, cause, ...(note !== undefined && { note }) }];
    });
  }

  #ofContent(
    { severity, sourcePath, line, key, message, fix, isInRoot }: ContentProblem,
    { at, isUrgent }: ListPlace,
  ): Mistake {
    const { root, content } = this.#site.paths;
    const file = isInRoot ? sourcePath : this.#content.addresses.fromRoot(sourcePath);
    const excerpt =
      line === undefined || at >= MAX_EXCERPTS
        ? null
        : excerptOf(join(isInRoot ? root : content, sourcePath), line);
    return {
      severity,
      isUrgent,
      place: line === undefined ? file : `${file}:${line}`,
      cause: key === undefined ? message : `${key}: ${message}`,
      ...(fix !== undefined && { fix }),
      ...(excerpt !== null && { excerpt }),
    };
  }

  /** Broken links and anchors, shadowed addresses, missing templates: once per version of the tree. */
  #check(): Promise<readonly ContentProblem[]> {
    const check = this.#site.use("check", { optional: true });
    const generation = this.#content.generation();
    if (check === undefined || generation.entries.length > MAX_CHECKED) {
      return Promise.resolve(this.#content.problems());
    }
    if (this.#checked?.generation !== generation) {
      const problems = check.problems().catch((error: unknown) => {
        this.#site.log.warn("render.check_failed", { error: String(error) });
        return this.#content.problems();
      });
      this.#checked = { generation, problems };
    }
    return this.#checked.problems;
  }
}

function mistakeId({ sourcePath, code, message }: ContentProblem): string {
  return JSON.stringify([sourcePath, code, message]);
}

/** Maximum number of problems per notice. */
const MAX_NOTICED = 5;
const BODY = /<body\b[^>]*>/i;
const STYLE = `.content-problem{position:sticky;top:0;z-index:2147483647;margin:0;padding:.75rem 1.25rem;font:.9375rem/1.5 system-ui,sans-serif;color:#fff;background:#9f1239;text-align:start}
.content-problem p,.content-problem ul{margin:.15rem 0}.content-problem code{font:inherit;font-weight:700;overflow-wrap:anywhere}`;

/** Dev mode: pages and the 404 page list invalid content files and how to fix them. */
export class ContentNotices {
  readonly #content: ContentService;

  constructor(content: ContentService) {
    this.#content = content;
  }

  /** Returns the page unchanged, or its last valid version with the problems of its file. */
  onPage(req: PageRequest, entry: PageEntry, answer: Answer): Answer {
    const problems = this.#content
      .problems()
      .filter(
        ({ sourcePath, severity }) => severity === "error" && sourcePath === entry.sourcePath,
      );
    return this.#add(req, answer, problems, "This is the last good version of the page.");
  }

  /** The 404 page with the skipped files, or those whose fields hide the page at this address. */
  onMissing(req: Parameters<RouteHandler>[0], answer: Answer): Answer {
    const [path] = req.originalUrl.split("?");
    const { bySource } = this.#content.generation();
    const problems = this.#content.problems().filter(({ sourcePath, severity, isInRoot }) => {
      // Files beside the content make no pages.
      if (isInRoot) return false;
      const entry = bySource.get(sourcePath);
      return entry === undefined ? severity === "error" : entry.url === path;
    });
    return this.#add(req, answer, problems, "These files may be why the page is missing.");
  }

  #add(
    req: PageRequest,
    answer: Answer,
    problems: readonly ContentProblem[],
    lead: string,
  ): Answer {
    if (problems.length === 0 || !answer.type.startsWith("text/html")) return answer;
    const items = problems.slice(0, MAX_NOTICED).map((problem) => this.#item(problem));
    const more = problems.length - items.length;
    const notice = [
      `<style nonce="${escapeHtml(req.ctx.nonce())}">${STYLE}</style>`,
      `<aside class="content-problem" role="alert" data-content-problem><p>${lead}</p>`,
      `<ul>${items.join("")}</ul>${more > 0 ? `<p>${more} more: run site content:check</p>` : ""}</aside>`,
    ].join("");
    const html = answer.body.toString();
    const start = BODY.exec(html);
    const at = start === null ? html.length : start.index + start[0].length;
    return { ...answer, body: html.slice(0, at) + notice + html.slice(at) };
  }

  #item({ sourcePath, line, key, message, fix, isInRoot }: ContentProblem): string {
    const file = isInRoot ? sourcePath : this.#content.addresses.fromRoot(sourcePath);
    const location = line === undefined ? file : `${file}:${line}`;
    const field = key === undefined ? "" : ` (${escapeHtml(key)})`;
    const remedy = fix === undefined ? "" : `<br>Fix: ${escapeHtml(fix)}`;
    return `<li><code>${escapeHtml(location)}</code>${field}: ${escapeHtml(message)}${remedy}</li>`;
  }
}

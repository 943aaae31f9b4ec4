/** Finds the paths that declared routes handle before pages. */
import type { Http } from "#kernel";

type Routes = Pick<Http, "routes" | "described">;

/** A lookup of declared `GET` routes by path. Build it once all routes are declared. */
export class RouteClaims {
  readonly #plain = new Set<string>();
  /** By the first segment of their path. */
  readonly #patterns = new Map<string, { path: string; pattern: RegExp }[]>();
  readonly #guarded: string | null;

  /** `guarded`: a path below which a guard responds; null without one. */
  constructor({ routes, described }: Routes, guarded: string | null) {
    this.#guarded = guarded;
    for (const { method, path } of [...routes, ...described]) {
      if (method === "get") this.#add(path);
    }
  }

  /** The declared path of the route; null when pages handle it. */
  claimOf(path: string): string | null {
    if (this.#plain.has(path)) return path;
    const patterns = this.#patterns.get(firstSegment(path)) ?? [];
    const found = patterns.find(({ pattern }) => pattern.test(path));
    if (found !== undefined) return found.path;
    const isGuarded = this.#guarded !== null && path.startsWith(`${this.#guarded}/`);
    return isGuarded ? `${this.#guarded}/*path` : null;
  }

  #add(path: string): void {
    if (!/[:*{]/.test(path)) {
      this.#plain.add(path);
      return;
    }
    const first = firstSegment(path);
    const others = this.#patterns.get(first) ?? [];
    this.#patterns.set(first, [...others, { path, pattern: patternOf(path) }]);
  }
}

/** Converts an Express 5 path: `:name` is a segment, `*name` the rest, braces are optional. */
function patternOf(path: string): RegExp {
  const source = path
    .replace(/[.+?^$()[\]|\\]/g, "\\$&")
    .replace(/\{([^{}]*)\}/g, "(?:$1)?")
    .replace(/:[A-Za-z_]\w*/g, "[^/]+")
    .replace(/\*[A-Za-z_]\w*/g, ".+");
  return new RegExp(`^${source}$`, "s");
}

/** Without arrays: it is called for each page of the site after each change. */
function firstSegment(path: string): string {
  const end = path.indexOf("/", 1);
  return path.slice(1, end === -1 ? undefined : end);
}

import { sep } from "node:path";
import { pathToFileURL } from "node:url";
import { runningFile } from "#kernel/internal";
import type { Modules } from "#kernel/internal";

/** Folder of the running code (sources or `dist/`): Node itself imports its modules. */
const RUNNING = runningFile("") + sep;

/**
 * Loads templates: the package's own natively, those of sites and other packages as site modules.
 */
export class TemplateLoader {
  readonly #root: string;
  readonly #modules: Modules;
  readonly #failed = new Set<string>();

  constructor(root: string, modules: Modules) {
    this.#root = root;
    this.#modules = modules;
  }

  /** The exports of a module at an absolute path. Errors contain file and line. */
  async load(file: string): Promise<Readonly<Record<string, unknown>>> {
    if (!this.#isOwn(file) || this.#failed.has(file)) return this.#modules.load(file);
    try {
      const module: unknown = await import(pathToFileURL(file).href);
      return typeof module === "object" && module !== null ? { ...module } : {};
    } catch (error) {
      // Node caches a failed import forever; the loader of site modules retries.
      this.#failed.add(file);
      throw error;
    }
  }

  /** Drops the site's modules from the cache, so that the next load reads their files again. */
  invalidate(): Promise<void> {
    return this.#modules.invalidate();
  }

  // A site may be inside the checkout (examples, tests): its files belong to the site.
  #isOwn(file: string): boolean {
    if (!file.startsWith(RUNNING)) return false;
    return !(this.#root.startsWith(RUNNING) && file.startsWith(this.#root + sep));
  }
}

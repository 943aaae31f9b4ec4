import { mkdirSync } from "node:fs";
import { createRequire } from "node:module";
import { join, sep } from "node:path";
import type { Jiti } from "jiti";
import type { Modules } from "../../contracts.js";
import { PRIVATE_FOLDER } from "../../files/files.js";

type LoadModule = () => Promise<Record<string, unknown>>;

/** Loads TypeScript and TSX of the site root at run time: plugins, themes, migrations. */
export class ModuleLoader implements Modules {
  readonly #root: string;
  readonly #cache: string;
  readonly #virtual = new Map<string, LoadModule>();
  #jiti: Promise<Jiti> | null = null;
  #isFresh = true;

  /** `cache`: folder of transpiled files. */
  constructor(root: string, cache: string) {
    this.#root = root;
    this.#cache = cache;
  }

  provide(name: string, load: LoadModule): void {
    this.#virtual.set(name, load);
    this.#jiti = null;
  }

  /** The exports of a module, given by absolute path or package name. Errors name file and line. */
  async load(file: string): Promise<Record<string, unknown>> {
    const jiti = await (this.#jiti ??= this.#create());
    return jiti.import(file);
  }

  /** Invalidates the modules of the site root, so that the next load reads the files again. */
  async invalidate(): Promise<void> {
    this.#invalidate((await this.#jiti)?.cache ?? {});
  }

  /** Loaded files of the site root, without those of packages. */
  async loaded(): Promise<string[]> {
    return this.#own((await this.#jiti)?.cache ?? {});
  }

  #invalidate(cache: Jiti["cache"]): void {
    for (const file of this.#own(cache)) delete cache[file];
  }

  #own(cache: Jiti["cache"]): string[] {
    return Object.keys(cache).filter(
      (file) => file.startsWith(this.#root + sep) && !file.includes(`${sep}node_modules${sep}`),
    );
  }

  async #create(): Promise<Jiti> {
    // An import would first scan its 190 KB of CommonJS for export names.
    const { createJiti } = createRequire(import.meta.url)("jiti") as typeof import("jiti");
    const virtualModules: Record<string, Record<string, unknown>> = {};
    for (const [name, load] of this.#virtual) virtualModules[name] = await load();
    const fsCache = join(this.#cache, "modules");
    mkdirSync(fsCache, { recursive: true, mode: PRIVATE_FOLDER });
    const jiti = createJiti(join(this.#root, "site.js"), {
      jsx: { runtime: "automatic", importSource: "preact" },
      fsCache,
      virtualModules,
      tryNative: false,
    });
    // The process caches modules: an earlier site in it may have loaded older files.
    if (this.#isFresh) this.#invalidate(jiti.cache);
    this.#isFresh = false;
    return jiti;
  }
}

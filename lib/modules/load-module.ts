import { realpathSync } from "node:fs";
import { createRequire } from "node:module";
import { isAbsolute, join, sep } from "node:path";
import { fileURLToPath } from "node:url";
import type { Jiti, JitiOptions } from "jiti";
import { cachedTransform, isTranspiled, type Transform } from "./transpile.js";

/** Resolves with the exports of a module. */
type LoadModule = () => Promise<Record<string, unknown>>;
/** The function that jiti's own `createJiti` calls; it takes the import that Node does. */
type CreateJiti = (
  id: string,
  options: JitiOptions,
  context: {
    onError(error: Error): never;
    nativeImport(id: string | URL): Promise<unknown>;
    createRequire(from: string): NodeJS.Require;
  },
) => Jiti;

/**
 * Loads modules of the site root at run time: plugins, themes, migrations. Files of packages are imported
 * by Node, once per process. All others run transformed, JavaScript too: Node never loads a file again. They
 * are in a cache of this loader: jiti takes what is in Node's cache for its own, and would give the exports of
 * a CommonJS package another shape after a reload.
 */
export class ModuleLoader {
  /** The folder, and the real one behind a symbolic link. */
  readonly #roots: readonly string[];
  readonly #root: string;
  readonly #cache: string;
  readonly #virtual = new Map<string, LoadModule>();
  readonly #modules: NodeJS.Dict<NodeJS.Module> = {};
  /** Absolute JSON files that modules of the site import: Node loads them. */
  readonly #json = new Set<string>();
  #jiti: Promise<Jiti> | null = null;

  /** `cache`: folder of transpiled files. */
  constructor(root: string, cache: string) {
    this.#root = root;
    this.#roots = [...new Set([root, realPath(root)])];
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
    await this.#jiti;
    for (const file of this.#own()) delete this.#modules[file];
    this.#json.clear();
    this.#invalidateNode();
  }

  /** Loaded files of the site root, without those of packages. */
  async loaded(): Promise<string[]> {
    await this.#jiti;
    return [...this.#own(), ...this.#json];
  }

  #own(): string[] {
    return Object.keys(this.#modules).filter(
      (file) => this.#isOfSite(file) || (isTranspiled(file) && !isOfPackage(file)),
    );
  }

  /** JSON files, and what modules of the site load with a `require` of their own. */
  #invalidateNode(): void {
    const { cache } = createRequire(import.meta.url);
    for (const file of Object.keys(cache)) if (this.#isOfSite(file)) delete cache[file];
  }

  #isOfSite(file: string): boolean {
    return !isOfPackage(file) && this.#roots.some((root) => file.startsWith(root + sep));
  }

  async #create(): Promise<Jiti> {
    // An import would first scan its 190 KB of CommonJS for export names.
    const ownRequire = createRequire(import.meta.url);
    const jitiRequire = createRequire(ownRequire.resolve("jiti"));
    const createJiti: CreateJiti = jitiRequire("../dist/jiti.cjs");
    const virtualModules: Record<string, Record<string, unknown>> = {};
    for (const [name, load] of this.#virtual) virtualModules[name] = await load();
    const babel: Transform = (options) => jitiRequire("../dist/babel.cjs")(options);
    const options: JitiOptions = {
      jsx: { runtime: "automatic", importSource: "preact" },
      fsCache: false,
      transform: cachedTransform(babel, join(this.#cache, "modules")),
      virtualModules,
      tryNative: false,
    };
    // An earlier site in this process may have loaded older files.
    if (Object.keys(this.#modules).length === 0) this.#invalidateNode();
    return createJiti(join(this.#root, "site.js"), options, {
      onError,
      nativeImport,
      createRequire: (from) => this.#requireFrom(from),
    });
  }

  /** Node's `require`, with the cache of this loader. */
  #requireFrom(from: string): NodeJS.Require {
    const requireFrom = createRequire(from);
    const { resolve, main, extensions } = requireFrom;
    const load = (id: string): unknown => {
      const file = id.endsWith(".json") ? requireFrom.resolve(id) : "";
      if (this.#isOfSite(file)) this.#json.add(file);
      return requireFrom(id);
    };
    return Object.assign(load, { resolve, main, extensions, cache: this.#modules });
  }
}

/** Imports by Node. A file of the site is rejected: jiti then runs it transformed. */
async function nativeImport(id: string | URL): Promise<unknown> {
  const file = String(id).startsWith("file:") ? fileURLToPath(id) : String(id);
  if (isAbsolute(file) && !isOfPackage(file)) throw new Error("not a file of a package");
  return import(String(id));
}

function onError(error: Error): never {
  throw error;
}

function isOfPackage(file: string): boolean {
  return file.includes(`${sep}node_modules${sep}`);
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

import { readdirSync } from "node:fs";
import { join, sep } from "node:path";
import { pathToFileURL } from "node:url";
import type { ComponentChildren, VNode } from "preact";
import { runningFile } from "#lib/packages";
import type { Modules } from "#kernel";
import type { ThemeComponent } from "../contract.js";
import { renderFailure } from "../errors.js";
import { Html } from "../theme-api/components.js";

/** A template: a component, which may be asynchronous at the top level. */
export type Template = ThemeComponent;

const SAFE_NAME = /^[A-Za-z0-9_/-]+$/;
const MODULE = /^(.+)\.(?:tsx|jsx|ts|js|mjs)$/;

/** Absolute folders in which templates are looked up. */
interface TemplateFolders {
  /** Folders of the theme chain, the active theme first. */
  themes: readonly string[];
  /** Template folders of plugins. */
  plugins: readonly string[];
}

/** Templates by name: the theme chain first, then the folders of plugins. */
export class Templates {
  readonly #loader: TemplateLoader;
  /** Template name to file, nearest folder first. */
  readonly #files: ReadonlyMap<string, string>;
  readonly #layout: string | null;
  /** Component name with its folder (`modules/hero`) to file, nearest theme first. */
  readonly #parts: ReadonlyMap<string, string>;
  readonly #loaded = new Map<string, Promise<Template>>();

  constructor(loader: TemplateLoader, folders: TemplateFolders) {
    this.#loader = loader;
    const places = [...folders.themes.map((theme) => join(theme, "templates")), ...folders.plugins];
    this.#files = new Map(places.toReversed().flatMap((folder) => listModules(folder)));
    const components = folders.themes.map((theme) => join(theme, "components"));
    const files = components.toReversed().flatMap((folder) => listModules(folder));
    this.#layout = new Map(files).get("layout") ?? null;
    this.#parts = new Map(files.filter(([name]) => /^(?:modules|blocks)\//.test(name)));
  }

  /** Sorted. */
  get names(): readonly string[] {
    return [...this.#files.keys()].sort();
  }

  has(name: string): boolean {
    return SAFE_NAME.test(name) && this.#files.has(name);
  }

  /**
   * The component of a template, or null.
   * @throws ERR_TEMPLATE_LOAD, ERR_TEMPLATE_INVALID.
   */
  async get(name: string): Promise<Template | null> {
    const file = this.#fileOf(name);
    return file === undefined ? null : this.#load(file);
  }

  /** `components/layout` of the nearest theme that has one. */
  async layout(): Promise<Template | null> {
    return this.#layout === null ? null : this.#load(this.#layout);
  }

  /**
   * The component of a module or block: `components/blocks/<name>` for a block, else
   * `components/modules/<name>`, else `components/modules/text` of the nearest theme that has one.
   * Without any, the bare text.
   * @throws ERR_TEMPLATE_LOAD, ERR_TEMPLATE_INVALID.
   */
  async part(kind: "modules" | "blocks", name: string): Promise<Template> {
    for (const key of [`${kind}/${name}`, `modules/${name}`, "modules/text"]) {
      const file = this.#parts.get(key);
      if (file !== undefined) return this.#load(file);
    }
    return BareModule;
  }

  #fileOf(name: string): string | undefined {
    return SAFE_NAME.test(name) ? this.#files.get(name) : undefined;
  }

  #load(file: string): Promise<Template> {
    const cached = this.#loaded.get(file);
    if (cached !== undefined) return cached;
    const loading = this.#import(file);
    this.#loaded.set(file, loading);
    // A file that failed is read again on the next request.
    loading.catch(() => this.#loaded.delete(file));
    return loading;
  }

  async #import(file: string): Promise<Template> {
    const module = await this.#loader.load(file).catch((cause: unknown) => {
      const reason = cause instanceof Error ? cause.message : String(cause);
      throw renderFailure("ERR_TEMPLATE_LOAD", `${file}: ${reason}`, {
        cause,
        fix: "correct the template",
      });
    });
    const component: unknown = module["default"];
    if (!isComponent(component)) {
      throw renderFailure(
        "ERR_TEMPLATE_INVALID",
        `${file} has no component as its default export`,
        {
          fix: "export default function Template(props) { … }",
        },
      );
    }
    return component;
  }
}

function isComponent(value: unknown): value is Template {
  return typeof value === "function";
}

/** Module files below a folder: name without extension (with `/`) and absolute path. */
function listModules(folder: string): [name: string, file: string][] {
  return filesBelow(folder).flatMap((file): [string, string][] => {
    const name = MODULE.exec(file)?.[1];
    if (name === undefined || name.endsWith(".d") || !SAFE_NAME.test(name)) return [];
    return [[name, join(folder, file)]];
  });
}

function filesBelow(folder: string): string[] {
  try {
    return readdirSync(folder, { recursive: true, encoding: "utf8" }).map((file) =>
      file.replaceAll("\\", "/"),
    );
  } catch {
    return [];
  }
}

/** A module or block in a theme without components for them: its text. */
function BareModule({ module }: Record<string, unknown>) {
  const html = typeof module === "object" && module !== null && "html" in module ? module.html : "";
  return <Html as="section" html={typeof html === "string" ? html : ""} />;
}

/** The layout for themes without one. */
export function BareLayout(props: Record<string, unknown>): VNode {
  const { lang, dir, pageTitle, children } = props;
  return (
    <html lang={toText(lang)} dir={dir === "rtl" ? "rtl" : undefined}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{toText(pageTitle)}</title>
      </head>
      <body>
        <main>{toChildren(children)}</main>
      </body>
    </html>
  );
}

function toText(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

function toChildren(value: unknown): ComponentChildren {
  if (Array.isArray(value)) return value;
  return typeof value === "object" && value !== null ? value : toText(value);
}

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

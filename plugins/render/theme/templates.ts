import { readdirSync } from "node:fs";
import { join } from "node:path";

import type { ThemeComponent } from "../contract.js";
import type { TemplateLoader } from "./load-module.js";
import { BareModule } from "../page/document/bare-module.js";
import { renderFailure } from "../errors.js";

/** A template: a component, which may be asynchronous at the top level. */
export type Template = ThemeComponent;

const SAFE_NAME = /^[A-Za-z0-9_/-]+$/;
const MODULE = /^(.+)\.(?:tsx|jsx|ts|js|mjs)$/;

/** Templates by name: the theme chain first, then the folders of plugins. */
export class Templates {
  readonly #loader: TemplateLoader;
  /** Template name to file, nearest folder first. */
  readonly #files: ReadonlyMap<string, string>;
  readonly #layout: string | null;
  /** Component name with its folder (`modules/hero`) to file, nearest theme first. */
  readonly #parts: ReadonlyMap<string, string>;
  readonly #loaded = new Map<string, Promise<Template>>();

  /**
   * `themes`: folders of the chain, the active theme first; `plugins`: template folders of plugins.
   */
  constructor(
    loader: TemplateLoader,
    folders: { themes: readonly string[]; plugins: readonly string[] },
  ) {
    this.#loader = loader;
    const places = [...folders.themes.map((theme) => join(theme, "templates")), ...folders.plugins];
    this.#files = new Map(places.toReversed().flatMap((place) => modulesIn(place)));
    const components = folders.themes.map((theme) => join(theme, "components"));
    const files = components.toReversed().flatMap((place) => modulesIn(place));
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
    const known = this.#loaded.get(file);
    if (known !== undefined) return known;
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
function modulesIn(folder: string): [name: string, file: string][] {
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

import { createHash } from "node:crypto";
import { pathToFileURL } from "node:url";
import type { ComponentType } from "preact";
import { z } from "zod";
import type { Caches, CacheSpace } from "#kernel";
import { loadOptional } from "#lib/packages";
import type { Page } from "../../content/contract.js";
import type { BodyRenderer } from "../render/body-renderer.js";
import type { Format, MarkdownProblem, Rendered, RenderInput } from "../contract.js";
import { structureOptions, type RenderOptions } from "../render/render-job.js";
import { dropMissing, isMissingImport, type MissingImport } from "./missing-imports.js";
import { plainText, type PlainTextOptions } from "../parse/plain-text.js";

/** Dependencies of the component formats. */
export interface ComponentFormatOptions {
  bodies: Pick<BodyRenderer, "complete">;
  /** Absolute path of the content folder. */
  contentFolder: string;
  /** True: code is highlighted. */
  highlights: boolean;
  /** Components of the active theme. */
  components(): Promise<Readonly<Record<string, unknown>>>;
  options(page: Page | null): RenderOptions;
  /** The problem is null when the page rendered. */
  onOutcome(page: Page, problem: MarkdownProblem | null): void;
  /** True: visitors see errors of components. */
  showsErrors: boolean;
}
/** Dependencies of the `mdx` format. */
export interface MdxFormatOptions extends ComponentFormatOptions {
  cache: Pick<Caches, "open">;
}

type Content = ComponentType<Record<string, unknown>>;
/** A compiled page. */
interface Compiled {
  readonly content: Content;
  /** Its imports that cannot be loaded: it has only what does not need them. */
  readonly missing: readonly MissingImport[];
}

const MAX_MODULES = 200;
/** Bytes of a compiled module, about. */
const MODULE_BYTES = 50_000;
const positionSchema = z.object({ line: z.number(), column: z.number() });
const NAMED_POSITION = / \((\d+):(\d+)-\d+:\d+\)/;

/**
 * `mdx`: Markdown with components of the theme. MDX is code that runs with the server's rights and
 * is not sanitised, so only content files of the site are rendered as MDX.
 */
export class MdxFormat implements Format {
  readonly extension = "mdx";
  readonly runs = true;
  readonly #parts: MdxFormatOptions;
  readonly #modules: CacheSpace<Compiled>;

  constructor(parts: MdxFormatOptions) {
    this.#parts = parts;
    this.#modules = parts.cache.open<Compiled>("mdx-modules", {
      maxEntries: MAX_MODULES,
      maxBytes: 2 * MAX_MODULES * MODULE_BYTES,
      untagged: true,
      sizeOf: () => MODULE_BYTES,
    });
  }

  async render({ page, props, needs = "page" }: RenderInput): Promise<Rendered> {
    const { bodies, options, onOutcome } = this.#parts;
    let html: string;
    let missing: readonly MissingImport[];
    try {
      const compiled = await this.#compiled(page);
      ({ missing } = compiled);
      html = await this.#html(compiled.content, props ?? {});
    } catch (error) {
      return this.#failed(page, error);
    }
    if (page.isPreview !== true) onOutcome(page, missingProblem(page, missing));
    const syntax = this.#parts.highlights && html.includes("<code") ? ["highlight" as const] : [];
    const all = { ...options(page), syntax };
    const needed = needs === "structure" ? structureOptions(all) : all;
    const { rendered } = await bodies.complete(html, page, needed);
    return rendered;
  }

  text(page: Page, limit?: number): string {
    return mdxText(page.body, limit === undefined ? {} : { limit });
  }

  async #html(content: Content, props: Readonly<Record<string, unknown>>): Promise<string> {
    const { h } = await import("preact");
    const { renderToStringAsync } = await import("preact-render-to-string");
    const components = await this.#parts.components();
    return renderToStringAsync(h(content, { ...props, components }));
  }

  #compiled(page: Page): Promise<Compiled> {
    const { sourcePath } = page.entry;
    const key = createHash("sha256").update(`${sourcePath}\0`).update(page.body).digest("hex");
    const file = `${this.#parts.contentFolder}/${sourcePath}`;
    return this.#modules.get(key, () => compile(page.body, file));
  }

  #failed(page: Page, error: unknown): Rendered {
    const { onOutcome, contentFolder, showsErrors } = this.#parts;
    const at = readPosition(error);
    // Positions in the message do not count the front matter.
    const message = describeError(error, contentFolder).replace(NAMED_POSITION, "");
    const problem = componentProblem(page, message, at);
    if (page.isPreview !== true) onOutcome(page, problem);
    return problemPage(problem, { details: showsErrors || at !== null });
  }
}

/** A page whose imports are missing is compiled without what needs them. */
async function compile(body: string, file: string): Promise<Compiled> {
  assertShallowExpressions(body);
  try {
    return { content: await evaluateMdx(body, file, []), missing: [] };
  } catch (error) {
    if (!isMissingImport(error)) throw error;
    const missing: MissingImport[] = [];
    const content = await evaluateMdx(body, file, [dropMissing(file, missing)]);
    if (missing.length === 0) throw error;
    return { content, missing };
  }
}

async function evaluateMdx(
  body: string,
  file: string,
  plugins: readonly ReturnType<typeof dropMissing>[],
): Promise<Content> {
  const { evaluate } = await loadOptional(() => import("@mdx-js/mdx"), {
    plugin: "markdown",
    packages: ["@mdx-js/mdx"],
    neededBy: file,
  });
  const { shallowOnly } = await import("../parse/nesting.js");
  const { Fragment, jsx, jsxs } = await import("preact/jsx-runtime");
  const { default: remarkGfm } = await import("remark-gfm");
  const { default: content } = await evaluate(body, {
    Fragment,
    jsx,
    jsxs,
    baseUrl: pathToFileURL(file),
    remarkPlugins: [remarkGfm, shallowOnly, ...plugins],
  });
  return content;
}

// Compile errors have a position (VFileMessage); errors at the end of the file only name it in the
// message.
function readPosition(error: unknown): BodyPosition | null {
  if (!(error instanceof Error) || !("ruleId" in error)) return null;
  const position = positionSchema.safeParse(error).data;
  if (position !== undefined) return { line: position.line, column: position.column };
  const named = NAMED_POSITION.exec(error.message);
  return { line: Number(named?.[1] ?? 1), column: Number(named?.[2] ?? 1) };
}

/** The text of MDX: like Markdown, without imports, exports and expressions. */
export function mdxText(source: string, options: PlainTextOptions = {}): string {
  return plainText(withoutExpressions(withoutModuleLines(source)), options);
}

// `import …` and `export …` extend to the next blank line.
function withoutModuleLines(source: string): string {
  let isModule = false;
  const lines: string[] = [];
  for (const line of source.split(/\r\n|\n|\r/)) {
    if (line.trim() === "") isModule = false;
    else if (/^(?:import|export)[ {*]/.test(line)) isModule = true;
    if (!isModule) lines.push(line);
  }
  return lines.join("\n");
}

function withoutExpressions(source: string): string {
  let depth = 0;
  let text = "";
  let from = 0;
  for (const match of source.matchAll(/[{}]/g)) {
    if (match[0] === "{") {
      if (depth === 0) text += source.slice(from, match.index);
      depth += 1;
    } else if (depth > 0) {
      depth -= 1;
      if (depth === 0) from = match.index + 1;
    }
  }
  return depth === 0 ? text + source.slice(from) : text;
}

/** Maximum depth of nested brackets in an expression. */
const MAX_DEPTH = 200;

/**
 * Counts the brackets from each brace to the one that closes it, wherever they occur.
 * @throws RangeError for expressions nested too deeply, because their parser recurses.
 */
export function assertShallowExpressions(source: string): void {
  let braces = 0;
  let depth = 0;
  for (const [bracket] of source.matchAll(/[{}[\]()]/g)) {
    if (bracket === "{") braces += 1;
    else if (bracket === "}") braces = Math.max(0, braces - 1);
    // Brackets outside of braces are text.
    depth = braces === 0 ? 0 : Math.max(braces, depth + ("{[(".includes(bracket) ? 1 : -1));
    if (depth > MAX_DEPTH) {
      throw new RangeError(`the expressions are nested deeper than ${MAX_DEPTH} levels`);
    }
  }
}

/** The problem of a page that is shown without some of its imports; null without any. */
function missingProblem(page: Page, missing: readonly MissingImport[]): MarkdownProblem | null {
  const [first] = missing;
  if (first === undefined) return null;
  const names = missing.map(({ name }) => JSON.stringify(name)).join(", ");
  const message = `cannot import ${names}: the page is shown without its components`;
  return {
    ...componentProblem(page, message, { line: first.line, column: 1 }),
    fix: "install the package or add the file, or remove the import and what uses it",
  };
}

/** Position of an error in a body, counted from 1. */
interface BodyPosition {
  line: number;
  column: number;
}

/** A problem of an MDX or TSX page. `at` is relative to the body, the problem to the file. */
export function componentProblem(
  page: Page,
  message: string,
  at: BodyPosition | null,
): MarkdownProblem {
  const problem = { sourcePath: page.entry.sourcePath, code: "ERR_MARKDOWN_COMPONENT", message };
  if (at === null) return problem;
  return { ...problem, line: at.line + linesBefore(page), column: at.column };
}

/** Options of showing a problem. */
interface ProblemPageOptions {
  /** True: with the position and the message. */
  readonly details: boolean;
}

/** The HTML shown instead of a page with such a problem. */
export function problemPage(problem: MarkdownProblem, options: ProblemPageOptions): Rendered {
  const position = [problem.sourcePath, problem.line, problem.column]
    .filter((part) => part !== undefined)
    .join(":");
  const details = options.details ? `<pre>${escaped(`${position}\n${problem.message}`)}</pre>` : "";
  const html = `<div class="content-error" role="alert"><p>This page has an error and cannot be shown.</p>${details}</div>`;
  return { html, headings: [] };
}

/** The error's message, without local paths. */
export function describeError(error: unknown, root: string): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.replaceAll(`${root}/`, "").replaceAll(root, "");
}

function linesBefore({ raw, body }: Page): number {
  const before = raw.endsWith(body) ? raw.slice(0, raw.length - body.length) : "";
  return before.split("\n").length - 1;
}

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (mark) => `&#${mark.charCodeAt(0)};`);
}

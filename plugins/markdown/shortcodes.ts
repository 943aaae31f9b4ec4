import {
  type Caches,
  type CacheSpace,
  callCheck,
  expectFields,
  type Field,
  type FieldKinds,
  SiteError,
  within,
} from "#kernel";
import { checkFields, readFields } from "#lib/fields";
import { nearest, expectText } from "#lib/values";
import type { Page } from "../content/contract.js";
import type { MarkdownProblem, Shortcode } from "./contract.js";
import type { Facts, ReferenceFact } from "./render/render-job.js";
import type { PageProblems } from "./links/problems.js";
import { toMark } from "./syntax/shortcode-syntax.js";

const MAX_BYTES = 8 * 1024 * 1024;
/** Milliseconds for one shortcode. */
const LIMIT_MS = 10_000;
const NAME = /^[a-z][a-z0-9-]*$/;
const ADDRESS_LINE = /^[ \t]*<?https?:\/\/\S+>?[ \t]*$/im;

const assertAdd = callCheck(
  "markdown.addShortcode",
  {
    name: expectText,
    shortcode: expectFields({
      params: ["object"],
      render: ["function"],
      address: ["function", "nothing"],
    }),
  },
  'site.use("markdown").addShortcode("year", { params: {}, render: () => "2026" })',
);

interface Known {
  readonly name: string;
  readonly shortcode: Shortcode;
  readonly fields: readonly Field[];
}
interface Output {
  readonly html: string;
  readonly trusted: boolean;
  readonly tags: readonly string[];
  readonly until: number | null;
}
interface Call {
  readonly known: Known;
  readonly values: Readonly<Record<string, unknown>>;
}
/** The read tags and the expiry of the shortcodes of a page. */
interface Reads {
  tags: Set<string>;
  until: number | null;
}

/** Dependencies of the shortcodes of a site. */
interface ShortcodesOptions {
  /** Kinds of the fields that define parameters. */
  readonly kinds: FieldKinds;
  readonly cache: Pick<Caches, "open">;
  /** The problems of shortcodes in pages. */
  readonly problems: PageProblems;
}

/** The shortcodes of plugins: they render what `{{ name … }}` stands for. */
export class Shortcodes {
  readonly problems: PageProblems;
  readonly #kinds: FieldKinds;
  readonly #outputs: CacheSpace<Output>;
  readonly #known = new Map<string, Known>();
  // Not in site.cache: what was read for an entry goes with it.
  readonly #reads = new WeakMap<Page["entry"], Reads>();

  constructor({ kinds, cache, problems }: ShortcodesOptions) {
    this.#kinds = kinds;
    this.problems = problems;
    this.#outputs = cache.open<Output>("shortcodes", {
      maxBytes: MAX_BYTES,
      sizeOf: ({ html }) => html.length + 200,
    });
  }

  get names(): readonly string[] {
    return [...this.#known.keys()].sort();
  }

  /** The parameters of a shortcode, in order; none for an unknown one. */
  fieldsOf(name: string): readonly Field[] {
    return this.#known.get(name)?.fields ?? [];
  }

  /** @throws ERR_MARKDOWN_SHORTCODE for an invalid or taken name, and for invalid parameters. */
  add(name: string, shortcode: Shortcode): void {
    assertAdd(name, shortcode);
    const { fields, problems } = readFields(shortcode.params, this.#kinds);
    if (!NAME.test(name) || this.#known.has(name)) {
      throw shortcodeError(`the name ${JSON.stringify(name)} is taken or invalid`);
    }
    if (problems.length > 0) throw shortcodeError(`${name}: params: ${problems.join("; ")}`);
    this.#known.set(name, { name, shortcode, fields });
  }

  /** Tells the parser which shortcodes a body may have; most bodies have none. */
  findSyntax(body: string): { shortcodes: readonly string[]; addresses: boolean } {
    const embeds = [...this.#known.values()].some(({ shortcode }) => shortcode.address);
    return {
      shortcodes: body.includes("{{") ? this.names : [],
      addresses: embeds && ADDRESS_LINE.test(body),
    };
  }

  /** True for an address that becomes an embed where it stands alone on a line. */
  isEmbedded(address: string): boolean {
    return [...this.#known.values()].some(({ shortcode }) => shortcode.address?.(address) === true);
  }

  /** Tags and expiry of what the shortcodes of a page read when they were last rendered. */
  readsOf(page: Page): Reads {
    return this.#reads.get(page.entry) ?? { tags: new Set(), until: null };
  }

  /** The HTML of the shortcodes among the references of a page. */
  async facts(page: Page, keys: readonly string[]): Promise<Facts> {
    const reads: Reads = { tags: new Set(), until: null };
    const facts = new Map<string, ReferenceFact>();
    this.problems.start(page);
    await Promise.all(
      keys.map(async (key) => {
        const output = await this.#render(page, key);
        if (output === null) return;
        for (const tag of output.tags) reads.tags.add(tag);
        reads.until = earliest(reads.until, output.until);
        facts.set(key, { url: "", html: output.html, ...(output.trusted && { trusted: true }) });
      }),
    );
    this.problems.finish(page);
    this.#reads.set(page.entry, reads);
    return facts;
  }

  /**
   * Renders shortcodes before the body that has them, whose rendering then finds them in the cache: those that render
   * Markdown would wait for a thread that this body has.
   */
  async prepare(page: Page, sources: readonly string[]): Promise<void> {
    for (const source of sources) {
      const parsed = parseShortcode(source);
      const known = "malformed" in parsed ? undefined : this.#known.get(parsed.name);
      if (known === undefined || "malformed" in parsed) continue;
      const names = known.fields.map(({ name }) => name);
      const { values, errors } = checkFields(known.fields, passValues(known, parsed, names));
      if (errors.length > 0) continue;
      // A failure is reported when the body is rendered.
      await this.#output(page, { known, values }).catch(() => null);
    }
  }

  async #render(page: Page, key: string): Promise<Output | null> {
    const { source, line } = toMark(key);
    const call = source.startsWith("{{") ? this.#callOf(page, key) : this.#callOfAddress(source);
    if (call === null) return null;
    try {
      return await within(LIMIT_MS, this.#output(page, call), () => {
        throw new Error(`no result within ${LIMIT_MS / 1000} s`);
      });
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      this.problems.add(page, line, {
        message: `shortcode ${call.known.name} failed: ${message}`,
        value: source,
        fix: "the shortcode is shown as text; correct its values or the plugin that provides it",
      });
      return null;
    }
  }

  #output(page: Page, { known, values }: Call): Promise<Output> {
    const { sourcePath, hash, lang, standsInFor = lang } = page.entry;
    const key = JSON.stringify([sourcePath, hash, standsInFor, known.name, values]);
    return this.#outputs.get(key, async (entry) => {
      const result = await known.shortcode.render(values, {
        page: page.entry,
        tags: entry.tags,
        expireAt: (time) => void (entry.until = earliest(entry.until, time)),
      });
      const { html, trusted } =
        typeof result === "string"
          ? { html: result, trusted: false }
          : { ...result, trusted: true };
      if (typeof html !== "string") throw new TypeError(`render returned ${typeof html}, not HTML`);
      return { html, trusted, tags: [...entry.tags], until: entry.until };
    });
  }

  #callOfAddress(url: string): Call | null {
    for (const registered of this.#known.values()) {
      const [first] = registered.fields;
      if (first === undefined || registered.shortcode.address?.(url) !== true) continue;
      return {
        known: registered,
        values: checkFields(registered.fields, { [first.name]: url }).values,
      };
    }
    return null;
  }

  /** The shortcode and its checked values; null after reporting what is wrong. */
  #callOf(page: Page, key: string): Call | null {
    const { source, line } = toMark(key);
    const report = (problem: Pick<MarkdownProblem, "message" | "key" | "value" | "fix">): null =>
      this.problems.add(page, line, problem);
    const parsed = parseShortcode(source);
    if ("malformed" in parsed) {
      const value = parsed.malformed;
      const fix = 'write key="value", a flag, or "a value"';
      return report({ message: `malformed shortcode at ${JSON.stringify(value)}`, value, fix });
    }
    const registered = this.#known.get(parsed.name);
    if (registered === undefined) return null;
    const names = registered.fields.map(({ name }) => name);
    const passed = passValues(registered, parsed, names);
    const unknown = Object.keys(passed).find((name) => !names.includes(name));
    if (unknown !== undefined) {
      const near = nearest(unknown, names);
      const fix =
        near === null ? `use ${names.join(", ") || "no parameter"}` : `did you mean ${near}?`;
      const message = `shortcode ${registered.name} has no parameter ${JSON.stringify(unknown)}`;
      return report({ message, key: unknown, value: String(passed[unknown]), fix });
    }
    const { values, errors } = checkFields(registered.fields, passed);
    const [error] = errors;
    if (error === undefined) return { known: registered, values };
    const value = JSON.stringify(passed[error.field]) ?? "nothing";
    const message = `shortcode ${registered.name}: ${error.message} Received ${value}.`;
    return report({ message, key: error.field, value, fix: `correct ${error.field}` });
  }
}

/** The values by parameter; those without a key fill the free parameters in order. */
function passValues(
  { shortcode }: Known,
  { named, unnamed }: ParsedShortcode,
  names: readonly string[],
): Readonly<Record<string, unknown>> {
  const entries = Object.entries(named);
  const isBare = ([name, value]: readonly [string, unknown]): boolean =>
    shortcode.bareWords === true && value === true && !names.includes(name);
  const words = entries.filter(isBare).map(([name]) => name);
  const free = names.filter((name) => !Object.hasOwn(named, name));
  return Object.fromEntries([
    ...entries.filter((entry) => !isBare(entry)),
    ...[...words, ...unnamed].map((value, at) => [free[at] ?? value, value]),
  ]);
}

/** The error of a plugin that adds an invalid shortcode. */
function shortcodeError(message: string): SiteError {
  return new SiteError("ERR_MARKDOWN_SHORTCODE", `shortcode: ${message}`, {
    fix: "use another name of lower-case letters, and fields of the field language as params",
  });
}

function earliest(a: number | null, b: number | null): number | null {
  return a === null ? b : b === null ? a : Math.min(a, b);
}

/** The words between the braces of a shortcode. */
interface ParsedShortcode {
  readonly name: string;
  /** Values by key; a flag is true. */
  readonly named: Readonly<Record<string, string | true>>;
  /** Values without a key, in order. */
  readonly unnamed: readonly string[];
}

const WORD =
  /\s*(?:([A-Za-z][\w-]*)(?:=("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|[^\s"'=]+))?(?=\s|$)|("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')(?=\s|$))/y;

/** Parses `{{ name key="value" flag "value" }}`; a text that is malformed from a place on: that rest. */
function parseShortcode(source: string): ParsedShortcode | { malformed: string } {
  const words = source.slice(2, -2).trim();
  const name = /^[\w-]*/.exec(words)?.[0] ?? "";
  const named: Record<string, string | true> = Object.create(null);
  const unnamed: string[] = [];
  WORD.lastIndex = name.length;
  while (WORD.lastIndex < words.length) {
    const from = WORD.lastIndex;
    const match = WORD.exec(words);
    if (match === null) return { malformed: words.slice(from).trim() };
    const [, key, value, bare] = match;
    if (key === undefined) unnamed.push(unquoted(bare ?? ""));
    else named[key] = value === undefined ? true : unquoted(value);
  }
  return { name, named: { ...named }, unnamed };
}

function unquoted(text: string): string {
  return /^["']/.test(text) ? text.slice(1, -1).replace(/\\(.)/g, "$1") : text;
}

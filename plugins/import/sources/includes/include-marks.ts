/** The marks by which systems include files. */
import { posix } from "node:path";
import { type FilePart, lineRange, replaceMarks } from "#lib/text";
import { fencedCode, outsideCode } from "../../text/hidden-code.js";
import type { IncludeMarks, IncludePlace, Inclusion } from "./includes.js";

const CODE_NAMES: Readonly<Record<string, string>> = {
  yml: "yaml",
  mjs: "js",
  cjs: "js",
  mts: "ts",
  cts: "ts",
};

/** A block of code with the language of a file. */
function codeBlock(text: string, file: string, info: string | null = null): string {
  const ending = posix.extname(file).slice(1).toLowerCase();
  return fencedCode(info ?? CODE_NAMES[ending] ?? ending, text);
}

/** The lines with a prefix, such as the indentation of the mark. */
function indented(text: string, prefix: string): string {
  return prefix === "" ? text : text.replaceAll(/^(?=[^\n])/gm, prefix);
}

/** The files that a path may mean: from the file with the mark, then from some folders. */
function below(path: string, { file }: IncludePlace, folders: readonly string[] = []): string[] {
  const plain = path.replace(/^\.\//, "");
  return [
    posix.join(posix.dirname(file), plain),
    ...folders.map((folder) => posix.join(folder, plain)),
  ];
}

type Read = (match: RegExpExecArray) => Omit<Inclusion, "start" | "end"> | null;

/** The inclusions that a pattern finds. */
function each(text: string, pattern: RegExp, read: Read): Inclusion[] {
  return [...text.matchAll(pattern)].flatMap((match) => {
    const found = read(match);
    return found === null
      ? []
      : [{ start: match.index, end: match.index + match[0].length, ...found }];
  });
}

function inOrder(...lists: readonly Inclusion[][]): Inclusion[] {
  return lists.flat().toSorted((a, b) => a.start - b.start);
}

// --- MkDocs -------------------------------------------------------------------------------------------------------

const SNIPPET = /^([ \t]*)-+8<-+[ \t]+["']([^"'\n]{1,300})["'][ \t]*$/gm;
const SNIPPETS = /^([ \t]*)-+8<-+[ \t]*\n((?:[^\n]{0,300}\n){1,50}?)[ \t]*-+8<-+[ \t]*$/gm;
const CODE_FILE = /^([ \t]*)\{\*[ \t]+(\S{1,300})([^\n{}]{0,300})\*\}[ \t]*$/gm;

/** Snippets of PyMdown, also in blocks of several files, and `{* file.py ln[1:5] hl[2] *}`. */
export function mkdocsMarks(folders: readonly string[]): IncludeMarks {
  return {
    anywhere: (text, place) => {
      const files = (name: string): string[] => [
        ...folders.map((folder) => posix.join(folder, name)),
        ...below(name, place, [""]),
      ];
      return inOrder(
        each(text, SNIPPET, ([, indent = "", name = ""]) => snippet(name, indent, files)),
        snippetBlocks(text, files),
        each(text, CODE_FILE, ([, indent = "", path = "", options = ""]) => {
          const plain = path.replace(/^(?:\.\.\/)+/, "");
          const lines = rangesIn(/\bln\[([^\]]*)\]/.exec(options)?.[1]);
          const marked = /\bhl\[([^\]]*)\]/.exec(options)?.[1]?.replaceAll(":", "-");
          const info = marked === undefined ? "" : ` {${marked}}`;
          return {
            name: path,
            files: [plain, ...files(plain), ...files(path)],
            part: lines === null ? {} : { lines },
            isCode: true,
            render: (code, file) => {
              const language = posix.extname(file).slice(1);
              return indented(codeBlock(code, file, language + info), indent);
            },
          };
        }),
      );
    },
  };
}

function snippet(
  name: string,
  indent: string,
  files: (name: string) => string[],
): Omit<Inclusion, "start" | "end"> | null {
  if (/^https?:/.test(name)) return null;
  const at = name.indexOf(":");
  const isPart = at !== -1 && /^(?:[\w-]+|[\d:,]+)$/.test(name.slice(at + 1));
  const path = isPart ? name.slice(0, at) : name;
  const tail = isPart ? name.slice(at + 1) : "";
  const lines = rangesIn(tail);
  const part: FilePart = tail === "" ? {} : lines === null ? { region: tail } : { lines };
  return { name: path, files: files(path), part, render: (text) => indented(text, indent) };
}

/** `2:5,9` as ranges; null for any other text. */
function rangesIn(text: string | undefined): (readonly [number, number])[] | null {
  const ranges = text?.split(",").map(lineRange) ?? [];
  const valid = ranges.filter((range) => range !== null);
  return valid.length === 0 || valid.length < ranges.length ? null : valid;
}

/** A block names a file per line; each becomes an inclusion of its own. */
function snippetBlocks(text: string, files: (name: string) => string[]): Inclusion[] {
  return [...text.matchAll(SNIPPETS)].flatMap(
    ({ index, 0: whole, 1: indent = "", 2: names = "" }) => {
      const list = names
        .split("\n")
        .map((name) => name.trim())
        .filter((name) => name !== "" && !name.startsWith(";"));
      let start = index;
      return list.flatMap((name, at): Inclusion[] => {
        const one = snippet(name, indent, files);
        if (one === null) return [];
        // The marks share the place of the block.
        const end = at === list.length - 1 ? index + whole.length : start + 1;
        const inclusion = {
          ...one,
          start,
          end,
          render: (inner: string) =>
            `${indented(inner, indent)}${at === list.length - 1 ? "" : "\n"}`,
        };
        start = end;
        return [inclusion];
      });
    },
  );
}

// --- mdBook -------------------------------------------------------------------------------------------------------

const MDBOOK =
  /(\\?)\{\{[ \t]*#(include|rustdoc_include|playground|playpen|title)[ \t]+([^{}\n]{1,300}?)[ \t]*\}\}/g;

/** `{{#include file:2:10}}`, `{{#rustdoc_include file:anchor}}`, `{{#playground file.rs}}`; `{{#title}}` goes. */
export const mdbookMarks: IncludeMarks = {
  anywhere: (text, place) =>
    each(text, MDBOOK, ([, escape, kind, argument = ""]) => {
      if (escape !== "" || kind === "title") return null;
      const [name = "", ...options] = argument.split(/\s+/);
      const [, path = "", tail = ""] = /^([^:]+)(?::(.*))?$/.exec(name) ?? [];
      const isPlayground = kind === "playground" || kind === "playpen";
      const range = tail === "" ? null : lineRange(tail);
      const part: FilePart =
        tail === "" || tail === ":" ? {} : range === null ? { region: tail } : { lines: [range] };
      return {
        name: path,
        files: below(path, place),
        part,
        render: (inner) =>
          isPlayground ? fencedCode(["rust", ...options].join(","), inner) : inner,
      };
    }),
};

/** The text without marks of mdBook that show nothing, and with escaped ones as they are meant. */
export function withoutMdbookMarks(text: string): string {
  return text
    .replaceAll(/(?<!\\)\{\{[ \t]*#title[ \t][^{}\n]*\}\}[ \t]*\n?/g, "")
    .replaceAll(/\\(?=\{\{[ \t]*#)/g, "");
}

// --- VitePress ----------------------------------------------------------------------------------------------------

const VITE_INCLUDE = /<!--[ \t]*@include:[ \t]*([^\n]{1,300}?)[ \t]*-->/g;
const VITE_CODE = /^([ \t]*)<<<[ \t]*([^\n]{1,300})$/gm;

/** `<!--@include: ./a.md{2,10}-->`, `<<< @/a.js{2}`, `<<< ./a.js#region{1,3 ts:line-numbers} [Title]`. */
export function vitepressMarks(root: string): IncludeMarks {
  const files = (name: string, place: IncludePlace): string[] =>
    name.startsWith("@/") || name.startsWith("@\\")
      ? [posix.join(root, name.slice(2))]
      : below(name, place, [root]);
  return {
    anywhere: (text, place) =>
      each(text, VITE_INCLUDE, ([, argument = ""]) => {
        const [, path = "", name, lines] =
          /^([^#{}\s]+)(?:#([^{}\s]+))?(?:\{([^{}]*)\})?$/.exec(argument) ?? [];
        if (path === "") return null;
        const range = lines === undefined ? null : lineRange(lines);
        const part: FilePart =
          name !== undefined
            ? { region: name, heading: name }
            : range === null
              ? {}
              : { lines: [range] };
        return { name: path, files: files(path, place), part, render: (inner) => inner };
      }),
    outsideCode: (text, place) =>
      each(text, VITE_CODE, ([, indent = "", argument = ""]) => {
        const [, path = "", region, options, title] =
          /^([^#{}[\]\s]+)(?:#([\w-]+))?\s?(?:\{([^{}]*)\})?\s?(?:\[([^[\]]*)\])?$/.exec(
            argument.trim(),
          ) ?? [];
        if (path === "") return null;
        const [, lines = "", language = ""] = /^([\d,\s-]*)(.*)$/.exec(options ?? "") ?? [];
        const ending =
          language.trim().replace(/:.*$/, "") ||
          (CODE_NAMES[posix.extname(path).slice(1)] ?? posix.extname(path).slice(1));
        const marked = lines.replaceAll(/\s/g, "").replace(/,$/, "");
        const info =
          ending +
          (title === undefined ? "" : ` [${title}]`) +
          (marked === "" ? "" : ` {${marked}}`);
        return {
          name: path.trim(),
          files: files(path.trim(), place),
          part: region === undefined ? {} : { region },
          isCode: true,
          render: (code) => indented(fencedCode(info, code), indent),
        };
      }),
  };
}

// --- docsify ------------------------------------------------------------------------------------------------------

const DOCSIFY =
  /\[((?:[^[\]\n])*)\]\(([^()\s]{1,300})[ \t]+(["'])[ \t]*:include\b([^"'\n]{0,200})\3[ \t]*\)/g;

/** `[name](file.md ':include')`, `:include :type=code js`, `:fragment=name`. Players and frames stay links. */
export const docsifyMarks: IncludeMarks = {
  outsideCode: (text, place) =>
    each(text, DOCSIFY, ([, , path = "", , options = ""]) => {
      const type = docsifyType(path, options);
      if (type === null) return null;
      const language = /:type=code[ \t]+([\w+#-]+)/.exec(options)?.[1] ?? null;
      const region = /:fragment=([\w-]+)/.exec(options)?.[1];
      const isCode = type === "code";
      return {
        name: path,
        files: path.startsWith("/") ? [path] : below(path, place, [""]),
        part: region === undefined ? {} : { region },
        isCode,
        render: (inner, file) => (isCode ? codeBlock(inner, file, language) : inner),
      };
    }),
};

/** What docsify makes of a file; null for a player, a frame and an address on the web. */
function docsifyType(path: string, options: string): "markdown" | "code" | null {
  if (/^(?:https?:)?\/\//.test(path)) return null;
  const type = /:type=(\w+)/.exec(options)?.[1];
  if (type === "markdown" || type === "code") return type;
  if (type !== undefined || /\.(?:html?|mp4|ogg|mp3|webm)$/i.test(path)) return null;
  return /\.(?:md|markdown)$/i.test(path) ? "markdown" : "code";
}

// --- Obsidian -----------------------------------------------------------------------------------------------------

const EMBED =
  /^([ \t>]*(?:[-*+][ \t]+)?)!\[\[([^[\]|#\n]{1,300})(#[^[\]|\n]{0,300})?(?:\|[^[\]\n]{0,300})?\]\][ \t]*$/gm;

/** `![[note]]`, `![[note#Heading]]`, `![[note#^block]]` on a line of their own. */
export const obsidianMarks: IncludeMarks = {
  outsideCode: (text, place) =>
    each(text, EMBED, ([, prefix = "", name = "", heading]) => {
      const file = noteOf(name, place);
      if (file === null) return null;
      const last = heading?.split("#").at(-1)?.trim() ?? "";
      const part: FilePart =
        last === "" ? {} : last.startsWith("^") ? { block: last.slice(1) } : { heading: last };
      const after = prefix.replaceAll(/[-*+](?=[ \t])/g, " ");
      return {
        name,
        files: [file],
        part,
        render: (inner) => prefix + inner.trim().replaceAll("\n", `\n${after}`),
      };
    }),
};

/** The note with a name: its path, or the only part of it that is given, in any case. */
function noteOf(name: string, { file, paths }: IncludePlace): string | null {
  const wanted = `${name.trim().replace(/\.md$/i, "")}.md`.toLowerCase();
  const near = posix.join(posix.dirname(file), wanted).toLowerCase();
  let found: string | null = null;
  for (const path of paths) {
    const lower = path.toLowerCase();
    if (lower === near) return path;
    const isIt = lower === wanted || lower.endsWith(`/${wanted}`);
    if (isIt && (found === null || path.length < found.length)) found = path;
  }
  return found;
}

// --- Docusaurus ---------------------------------------------------------------------------------------------------

const IMPORT = /^import[ \t]+([A-Za-z_$][\w$]*)[ \t]+from[ \t]+["']([^"'\n]{1,300})["'];?[ \t]*$/gm;

/** Partials, `import X from './_part.mdx'` and `<X name="value" />`, and files shown as code by the raw loader. */
export function docusaurusMarks(site: string): IncludeMarks {
  return {
    outsideCode: (text, place) => {
      const imports = new Map<string, string>();
      for (const [, name = "", path = ""] of text.matchAll(IMPORT)) imports.set(name, path);
      return inOrder(
        ...[...imports].map(([name, path]) => {
          const files = filesOf(path.replace(/^.*!/, ""), place, site);
          return path.includes("raw-loader!")
            ? rawCode(text, name, path, files)
            : /\.mdx?$/.test(path)
              ? partials(text, name, path, files)
              : [];
        }),
      );
    },
  };
}

/** The text without the imports of parts and of files that are shown as code. */
export function withoutPartImports(text: string): string {
  return outsideCode(text, (part) =>
    part.replaceAll(IMPORT, (whole, _: string, path: string) =>
      path.includes("raw-loader!") || /\.mdx?$/.test(path) ? "" : whole,
    ),
  );
}

function filesOf(path: string, place: IncludePlace, site: string): string[] {
  return path.startsWith("@site/")
    ? [posix.join(site, path.slice("@site/".length))]
    : below(path, place);
}

function partials(text: string, name: string, path: string, files: readonly string[]): Inclusion[] {
  const tag = new RegExp(
    `^([ \\t]*)<${name.replaceAll("$", "\\$")}\\b([^<>]*?)(?:/>|>([^]{0,10000}?)</${name.replaceAll("$", "\\$")}>)`,
    "gm",
  );
  return each(text, tag, ([, indent = "", attributes = "", children = ""]) => {
    const props = new Map<string, string>([["children", children.trim()]]);
    for (const [, key = "", one, two, three] of attributes.matchAll(
      /(?<![\w-])([\w-]{1,100})=(?:"([^"]*)"|'([^']*)'|\{["'`]?([^{}"'`]*)["'`]?\})/g,
    ))
      props.set(key, one ?? two ?? three ?? "");
    return {
      name: path,
      files,
      part: {},
      render: (inner) => {
        const filled = inner.replaceAll(
          /\{props\.(\w+)\}/g,
          (whole, key: string) => props.get(key) ?? whole,
        );
        return indented(filled.trim(), indent);
      },
    };
  });
}

function rawCode(text: string, name: string, path: string, files: readonly string[]): Inclusion[] {
  const tag = new RegExp(
    `<CodeBlock\\b([^<>]*)>\\s*\\{${name.replaceAll("$", "\\$")}\\}\\s*</CodeBlock>`,
    "g",
  );
  return each(text, tag, ([, attributes = ""]) => {
    const value = (key: string): string | undefined =>
      new RegExp(`\\b${key}=["'{]+([^"'{}]*)`).exec(attributes)?.[1];
    const language = value("language") ?? value("className")?.replace(/^language-/, "");
    const title = value("title");
    return {
      name: path,
      files,
      part: {},
      isCode: true,
      render: (code, file) => {
        const ending = language ?? posix.extname(file).slice(1);
        return codeBlock(code, file, ending + (title === undefined ? "" : ` title="${title}"`));
      },
    };
  });
}

// --- Hugo ---------------------------------------------------------------------------------------------------------

const SHORTCODE =
  /^([ \t]*)\{\{[<%][ \t]*(include|readfile|readFile|read-file)[ \t]+([^\n{}]{1,300}?)[ \t]*\/?[>%]\}\}/gm;

/** `{{< include "x.md" >}}` and `{{< readfile file="x" code="true" lang="go" >}}`. `roots`: folders of pages and files. */
export function hugoMarks(roots: readonly string[]): IncludeMarks {
  return {
    outsideCode: (text, place) =>
      each(text, SHORTCODE, ([, indent = "", , argument = ""]) => {
        const value = (key: string): string | undefined =>
          new RegExp(`\\b${key}[ \\t]*=[ \\t]*["\`]?([^"\`\\s]*)`).exec(argument)?.[1];
        const path =
          value("file") ??
          value("path") ??
          value("src") ??
          /^["`]?([^"`\s=]+)["`]?/.exec(argument)?.[1];
        if (path === undefined) return null;
        const isCode = value("code") === "true" || !/\.(?:md|markdown|html?|txt)$/i.test(path);
        const files = path.startsWith("/")
          ? [path, ...roots.map((root) => posix.join(root, path))]
          : below(path, place, [...roots, ""]);
        const language = value("lang") ?? null;
        return {
          name: path,
          files,
          part: {},
          isCode,
          render: (inner, file) =>
            indented(isCode ? codeBlock(inner, file, language) : inner, indent),
        };
      }),
  };
}

// --- Jekyll -------------------------------------------------------------------------------------------------------

const LIQUID =
  /\{%-?[ \t]*(include|include_relative|include_cached)[ \t]+(?:"([^"\n%]{1,300})"|'([^'\n%]{1,300})'|([^\s%"'{}]{1,300}))([^%\n]{0,1000}?)[ \t]*-?%\}/g;
const CONDITION =
  /\{%-?[ \t]*(if|unless)[ \t]+include\.([\w-]+)[ \t]*-?%\}((?:(?!\{%)[^])*)(?:\{%-?[ \t]*else[ \t]*-?%\}((?:(?!\{%)[^])*))?\{%-?[ \t]*end(?:if|unless)[ \t]*-?%\}/g;
const LOGIC =
  /\{%-?[ \t]*(?:if|unless|for|case|assign|capture|tablerow|increment)\b|\{\{-?[ \t]*include\./;

/** `{% include file.html x="y" %}` from some folders, `{% include_relative file.md %}`; templates with logic stay. */
export function liquidMarks(folders: readonly string[]): IncludeMarks {
  return {
    outsideCode: (text, place) =>
      each(text, LIQUID, ([, tag, one, two, three, options = ""]) => {
        const path = one ?? two ?? three ?? "";
        const values = new Map<string, string>();
        for (const [, key = "", double, single] of options.matchAll(
          /(?<![\w-])([\w-]{1,100})[ \t]?=[ \t]?(?:"([^"]*)"|'([^']*)')/g,
        ))
          values.set(key, double ?? single ?? "");
        const files =
          tag === "include_relative"
            ? below(path, place)
            : folders.map((folder) => posix.join(folder, path));
        return { name: path, files, part: {}, render: (inner) => filled(inner, values) };
      }),
  };
}

/** The text with the values of its inclusion; null when more of it is computed. */
function filled(text: string, values: ReadonlyMap<string, string>): string | null {
  const plain = text.replaceAll(
    /\{%-?[ \t]*comment[ \t]*-?%\}[^]{0,5000}?\{%-?[ \t]*endcomment[ \t]*-?%\}/g,
    "",
  );
  const chosen = replaceMarks(plain, CONDITION, (match) => {
    const [whole, word, key = "", yes = "", no = ""] = match;
    const isTrue = values.has(key) === (word === "if");
    return { text: isTrue ? yes : no, end: match.index + whole.length };
  });
  const shown = chosen.replaceAll(
    /\{\{-?[ \t]*include\.([\w-]+)[ \t]*(?:\|[ \t]*(?:default:[ \t]*["']([^"']*)["']|escape|markdownify|strip)[ \t]*)?-?\}\}/g,
    (_, key: string, other: string | undefined) => values.get(key) ?? other ?? "",
  );
  return LOGIC.test(shown) ? null : shown.trim();
}

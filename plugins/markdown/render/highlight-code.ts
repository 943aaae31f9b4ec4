/** Highlights code with Shiki: classes instead of inline styles, so that a strict CSP allows it. */
import {
  createHighlighterCoreSync,
  type HighlighterCore,
  type ShikiTransformer,
} from "@shikijs/core";
import { createOnigurumaEngine } from "@shikijs/engine-oniguruma";
import {
  transformerNotationDiff,
  transformerNotationErrorLevel,
  transformerNotationFocus,
  transformerNotationHighlight,
} from "@shikijs/transformers";
import type { Element, ElementContent, Root } from "hast";
import { listClasses, eachElement, codeLanguage, elementText } from "../parse/elements.js";
import { assertShallow } from "../parse/nesting.js";
import { hasLines, isMarked, type CodeInfo } from "../syntax/code-info.js";

/** Options of marking the code of a tree. */
export interface HighlightTask {
  /** Display of blocks, by their `code` element. */
  readonly codes: ReadonlyMap<Element, CodeInfo>;
  /** False: languages are left alone. */
  readonly tokens: boolean;
  /** False: `[!code …]` comments are left alone. */
  readonly lines: boolean;
}
/** Marks the code of a tree. */
export type Highlight = (tree: Root, task: HighlightTask) => void;

/** Longer blocks stay plain. */
const MAX_LENGTH = 100_000;
const LANGUAGE = /^[a-z\d][a-z\d._-]{0,40}$/;
const NOTATION = "[!code ";

/** A highlighter that has loaded the languages of a body. */
export class CodeHighlighter {
  readonly #shiki: HighlighterCore;
  readonly #unknown = new Set<string>();

  private constructor(shiki: HighlighterCore) {
    this.#shiki = shiki;
  }

  /** Loads the regular expression engine, the one that grammars are written for. */
  static async create(): Promise<CodeHighlighter> {
    const engine = await createOnigurumaEngine(import("@shikijs/engine-oniguruma/wasm-inlined"));
    const options = { themes: [CODE_THEME], langs: [], engine, warnings: false };
    return new CodeHighlighter(createHighlighterCoreSync(options));
  }

  /** Loads grammars; languages without one are remembered. */
  async load(languages: readonly string[]): Promise<void> {
    for (const name of languages) {
      if (this.#unknown.has(name) || this.#has(grammarName(name))) continue;
      const grammar = grammarName(name);
      const grammars = LANGUAGE.test(grammar) ? await loadGrammars(grammar) : null;
      if (grammars !== null) this.#shiki.loadLanguageSync(grammars);
      if (!this.#has(grammar)) this.#unknown.add(name);
    }
  }

  /** @throws RangeError for code that nests too deeply. */
  readonly highlight: Highlight = (tree, task) => {
    eachElement(tree, (element) => {
      const [code] = element.children;
      if (element.tagName !== "pre" || code?.type !== "element" || code.tagName !== "code") return;
      this.#block(element, code, task);
    });
    assertShallow(tree);
  };

  #block(pre: Element, code: Element, task: HighlightTask): void {
    const plan = this.#planOf(code, task);
    const lines = plan === null ? undefined : this.#marked(code, plan);
    const inner = lines?.children[0];
    if (plan === null || lines === undefined || inner?.type !== "element") return;
    code.children = plan.isLined ? tidyLines(inner.children) : withoutLines(inner.children);
    code.children.push({ type: "text", value: "\n" });
    const marks = listClasses(lines).filter((name) => name.startsWith("has-"));
    const classes = [
      ...listClasses(pre),
      ...marks,
      ...(plan.info !== undefined && plan.info.firstNumber !== null ? ["line-numbers"] : []),
    ];
    if (classes.length > 0) pre.properties["className"] = classes;
  }

  #marked(code: Element, { info, lang, isNotated }: BlockPlan): Element | undefined {
    const { children } = this.#shiki.codeToHast(elementText(code).replace(/\n$/, ""), {
      lang,
      theme: CODE_THEME.name,
      // Limits per line would leave colours out on a busy machine; the thread limits the whole body.
      tokenizeTimeLimit: 0,
      transformers: [...(isNotated ? notations : []), classes, ...(info ? [markLines(info)] : [])],
    });
    return children[0]?.type === "element" ? children[0] : undefined;
  }

  /** Plans the marks of a block; null when it stays as it is. */
  #planOf(code: Element, { codes, tokens, lines }: HighlightTask): BlockPlan | null {
    const text = elementText(code);
    if (!isPlain(code) || text.length > MAX_LENGTH) return null;
    const info = codes.get(code);
    const lang = this.#grammarFor(tokens ? (info?.lang ?? codeLanguage(code)) : "");
    const isNotated = lines && text.includes(NOTATION);
    const isLined = isNotated || (info !== undefined && hasLines(info));
    return lang === "text" && !isLined ? null : { info, lang, isNotated, isLined };
  }

  #grammarFor(name: string): string {
    const grammar = grammarName(name);
    return grammar !== "mermaid" && this.#has(grammar) ? grammar : "text";
  }

  #has(name: string): boolean {
    return this.#shiki.getLoadedLanguages().includes(name);
  }
}

interface BlockPlan {
  readonly info: CodeInfo | undefined;
  readonly lang: string;
  readonly isNotated: boolean;
  readonly isLined: boolean;
}

function isPlain({ children }: Element): boolean {
  return children.every(({ type }) => type === "text");
}

type Grammars = Parameters<HighlighterCore["loadLanguageSync"]>[0];

async function loadGrammars(name: string): Promise<Grammars | null> {
  try {
    const { default: grammars }: { default: Grammars } = await import(`@shikijs/langs/${name}`);
    return grammars;
  } catch {
    // No grammar of this name: the code stays plain.
    return null;
  }
}

const notations: readonly ShikiTransformer[] = [
  transformerNotationDiff({ matchAlgorithm: "v3" }),
  transformerNotationFocus({ matchAlgorithm: "v3" }),
  transformerNotationHighlight({ matchAlgorithm: "v3" }),
  transformerNotationErrorLevel({ matchAlgorithm: "v3" }),
];

/** Colours become classes; text in the colour of all code needs none. */
const classes: ShikiTransformer = {
  span(span) {
    const name = tokenClass(String(span.properties["style"] ?? ""));
    span.properties = name === null ? {} : { className: [name] };
  },
};

function markLines(info: CodeInfo): ShikiTransformer {
  return {
    line(line, number) {
      if (isMarked(info, number)) this.addClassToHast(line, "highlighted");
      if (info.firstNumber !== null) {
        line.properties["dataLine"] = String(info.firstNumber + number - 1);
      }
    },
    pre(pre) {
      if (info.marked.length > 0) this.addClassToHast(pre, "has-highlighted");
    },
  };
}

function tidyLines(lines: readonly ElementContent[]): ElementContent[] {
  return lines.map((line) =>
    line.type === "element" ? { ...line, children: withoutLines([line]) } : line,
  );
}

function withoutLines(lines: readonly ElementContent[]): ElementContent[] {
  const flat: ElementContent[] = [];
  for (const child of lines) {
    const parts = child.type === "element" ? child.children : [child];
    for (const token of parts) add(flat, bare(token));
  }
  return flat;
}

/** A span without a class is its text. */
function bare(token: ElementContent): ElementContent {
  if (token.type !== "element" || token.properties["className"] !== undefined) return token;
  return { type: "text", value: elementText(token) };
}

function add(list: ElementContent[], token: ElementContent): void {
  const last = list.at(-1);
  if (last?.type === "text" && token.type === "text") last.value += token.value;
  else list.push(token);
}

/** Names of languages that no file of the grammars has: with signs, or as other highlighters spell them. */
const GRAMMARS: ReadonlyMap<string, string> = new Map([
  ["c++", "cpp"],
  ["cxx", "cpp"],
  ["cc", "cpp"],
  ["hpp", "cpp"],
  ["h++", "cpp"],
  ["c#", "csharp"],
  ["f#", "fsharp"],
  ["j#", "java"],
  ["a#", "ada"],
  ["objective-c++", "objective-cpp"],
  ["objectivec", "objective-c"],
  ["objectivec++", "objective-cpp"],
  ["obj-c", "objective-c"],
  ["obj-c++", "objective-cpp"],
  ["objc++", "objective-cpp"],
  ["objcpp", "objective-cpp"],
  ["golang", "go"],
  ["visual-basic", "vb"],
  ["vb.net", "vb"],
  ["vbnet", "vb"],
  ["visualbasic", "vb"],
  ["asp.net", "razor"],
  ["node", "javascript"],
  ["nodejs", "javascript"],
  ["node.js", "javascript"],
  ["python3", "python"],
  ["py3", "python"],
  ["htm", "html"],
  ["xhtml", "html"],
  ["svg", "xml"],
  ["rss", "xml"],
  ["patch", "diff"],
  ["sh-session", "shellsession"],
  ["shell-session", "shellsession"],
  ["bash-session", "shellsession"],
  ["pycon", "python"],
  ["delphi", "pascal"],
  ["emacs", "elisp"],
  ["assembly", "asm"],
  ["nasm", "asm"],
  ["conf", "ini"],
  ["cfg", "ini"],
  ["postgresql", "sql"],
  ["postgres", "sql"],
  ["mysql", "sql"],
  ["dos", "bat"],
  ["winbatch", "bat"],
  ["posh", "powershell"],
  ["docker-compose", "yaml"],
  ["compose", "yaml"],
]);

/** The grammar of a language, in lower case, by any name that authors use; the name itself without another. */
function grammarName(language: string): string {
  // `{.python}` of Pandoc, and what follows a comma: `rust,ignore`.
  const [name = ""] = language
    .replace(/^\{?\.?/, "")
    .replace(/\}$/, "")
    .split(",", 1);
  return GRAMMARS.get(name) ?? name;
}

/** Classes of tokens, and the TextMate scopes they stand for. */
const TOKENS: readonly (readonly [name: string, scopes: readonly string[]])[] = [
  ["tk-c", ["comment", "punctuation.definition.comment", "string.comment"]],
  [
    "tk-k",
    [
      "keyword",
      "storage",
      "storage.type",
      "variable.language",
      "keyword.control",
      "punctuation.definition.keyword",
      "entity.name.tag.yaml.anchor",
    ],
  ],
  [
    "tk-s",
    ["string", "string.quoted", "markup.inline.raw", "markup.fenced_code", "constant.other.symbol"],
  ],
  [
    "tk-n",
    [
      "constant",
      "constant.numeric",
      "constant.language",
      "support.constant",
      "variable.other.constant.property",
      "keyword.other.unit",
      "variable.other.enummember",
    ],
  ],
  [
    "tk-f",
    [
      "entity.name.function",
      "support.function",
      "meta.function-call.generic",
      "entity.name.section",
      "markup.heading",
      "entity.name.command",
      "variable.function",
    ],
  ],
  [
    "tk-t",
    [
      "entity.name.type",
      "entity.name.class",
      "support.type",
      "support.class",
      "entity.name.tag",
      "entity.other.inherited-class",
      "entity.name.namespace",
    ],
  ],
  [
    "tk-a",
    [
      "entity.other.attribute-name",
      "support.type.property-name",
      "meta.object-literal.key",
      "variable.parameter",
      "variable.other.normal",
      "punctuation.definition.variable",
    ],
  ],
  ["tk-i", ["markup.inserted", "meta.diff.header.to-file", "punctuation.definition.inserted"]],
  ["tk-d", ["markup.deleted", "meta.diff.header.from-file", "punctuation.definition.deleted"]],
];
const PLAIN = [
  "keyword.operator",
  "meta.embedded",
  "string meta.embedded",
  "meta.template.expression",
  "string punctuation.section.embedded",
  "punctuation.definition.template-expression",
];
const FOREGROUND = "#000000";

/** A theme for Shiki whose colours are the numbers of classes: the style sheet has the real ones. */
const CODE_THEME = {
  name: "site",
  type: "light" as const,
  fg: FOREGROUND,
  bg: "#ffffff",
  settings: [
    { settings: { foreground: FOREGROUND } },
    ...TOKENS.map(([, scope], at) => ({
      scope: [...scope],
      settings: { foreground: readColour(at) },
    })),
    { scope: PLAIN, settings: { foreground: FOREGROUND } },
  ],
};

function readColour(at: number): string {
  return `#0000${(at + 1).toString(16).padStart(2, "0")}`;
}

/** The class of a token's style; null for the colour of all code. */
function tokenClass(style: string): string | null {
  const number = /#0000([\da-f]{2})\b/i.exec(style)?.[1];
  return number === undefined ? null : (TOKENS[parseInt(number, 16) - 1]?.[0] ?? null);
}

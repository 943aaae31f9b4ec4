/** MDX as Markdown of this project: tabs and notices stay, code and other components are left out and reported. */
import { dedented, finderIn, replaceMarks } from "#lib/text";
import { tabLines } from "./containers.js";
import { outsideCode } from "./hidden-code.js";
import { VOID_ELEMENTS } from "./html-nodes.js";

const CODE =
  /^(?:import\s[^\n]*from\s+["'][^"'\n]+["'];?|import\s+["'][^"'\n]+["'];?|export\s+(?:const|default|function)\b[^]*?(?:\n\n|$(?![^])))[ \t]*\n?/gm;
const COMMENT = /\{\/\*/g;
const COMPONENT = /<(\/?)([A-Z][\w.]{0,200})\b/g;
/** A group of tabs, and the component of each of its tabs. */
const TABS: Readonly<Record<string, string>> = {
  Tabs: "TabItem",
  CodeGroup: "CodeGroupItem",
};
const TAB_ITEMS: ReadonlySet<string> = new Set(Object.values(TABS));
const ADMONITION =
  /^([ \t]*:{3,})(note|tip|info|important|warning|caution|danger|success)(?:[ \t]*\[([^\n]*)\]|[ \t]+([^\n]+))?[ \t]*$/gm;
/** A line of HTML before a line of code, which is one mark: MDX reads a fence there, Markdown takes it for HTML. */
const HTML_BEFORE_CODE =
  /^([ \t]*<[^\n]*>)[ \t]*\n(?=[ \t]*[\uE000-\uF8FF]\d+[\uE000-\uF8FF][ \t]*$)/gm;
const TRUNCATE = /<!--\s*truncate\s*-->|\{\/\*\s*truncate\s*\*\/\}/g;

/** MDX as Markdown: without imports, exports and components, which are reported. */
export function mdxText(body: string, format: "md" | "mdx"): { text: string; notes: string[] } {
  const names = new Map<string, boolean>();
  const state = { code: false };
  const markdown = outsideCode(body, (part) => {
    const shown = replaceMarks(part.replaceAll(TRUNCATE, ""), COMMENT, ({ index }, find) => {
      const close = find("*/}", index);
      return close && { text: "", end: close.end };
    });
    const plain = shown.replaceAll(CODE, () => {
      state.code = true;
      return "";
    });
    const withoutJsx = closedElements(withHtmlAttributes(withoutComponents(plain, names)));
    return replaceMarks(withoutJsx.replaceAll(HTML_BEFORE_CODE, "$1\n\n"), ADMONITION, (match) => {
      const [whole, colons = "", kind = "", label, title] = match;
      const shown = label ?? title ?? "";
      const text = `${colons} ${kind}${shown === "" ? "" : ` ${shown}`}`;
      return { text, end: match.index + whole.length };
    });
  });
  const notes = [
    ...(state.code && format === "mdx" ? ["imports and exports of MDX were left out"] : []),
    ...leftOut(names),
  ];
  return { text: markdown, notes };
}

/** A component with its content. */
interface Component {
  readonly name: string;
  /** The tag with its attributes, see `attributeOf`. */
  readonly tag: string;
  /** Its content, without the indentation that all lines have; empty without one. */
  readonly text: string;
}
/** The text that stands for a component; null: it is left out and reported, its content stays. */
export type ShowComponent = (component: Component) => string | null;

/** The text of an attribute; null without it, and for one that is computed. */
export function attributeOf(tag: string, name: string): string | null {
  const pattern = new RegExp(
    `[\\s"'}]${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)'|\\{\\s*["'\`]([^"'\`]*)["'\`]\\s*\\})`,
  );
  return firstOf(pattern.exec(tag));
}

/** The lines of the report for components that were left out: name to whether it had no content. */
export function leftOut(names: ReadonlyMap<string, boolean>): string[] {
  return [...names].map(([name, isEmpty]) =>
    isEmpty
      ? `component <${name} /> was left out`
      : `component <${name}> was left out, its content stays`,
  );
}

const ELEMENT = /<[a-z][a-z0-9]*\s[^<>]*?(?:\{|className|htmlFor)/g;
const MAX_ATTRIBUTES = 2_000;
const ATTRIBUTE = /\s([A-Za-z][\w-]*)=(?:\{((?:[^{}]|\{[^{}]*\})*)\}|("[^"]*"|'[^']*'))/g;

/** The text with attributes of HTML: JSX gives elements of HTML expressions, and other names of attributes. */
function withHtmlAttributes(text: string): string {
  const tagEnd = createTagEndFinder(text);
  return replaceMarks(text, ELEMENT, ({ index }) => {
    const from = index + (/^<[a-z0-9]+/.exec(text.slice(index, index + 40))?.[0].length ?? 1);
    const end = tagEnd(from);
    if (end === null || end - index > MAX_ATTRIBUTES) return null;
    const tag = text.slice(index, end);
    return { text: tag.replaceAll(ATTRIBUTE, htmlAttribute), end };
  });
}

function htmlAttribute(_: string, name: string, expression?: string, written?: string): string {
  const plain = name === "className" ? "class" : name === "htmlFor" ? "for" : name;
  if (written !== undefined) return ` ${plain}=${written}`;
  const value = expression?.trim() ?? "";
  // `{"a"}`, `{require("./a.png").default}`, `{useBaseUrl("/a.png")}`
  const [, , text] =
    /^(?:[A-Za-z.]+\(\s*)?(["'`])([^"'`$]*)\1(?:\s*\)(?:\.default)?)?$/.exec(value) ?? [];
  if (text !== undefined) return ` ${plain}="${text}"`;
  return /^\d+$/.test(value) ? ` ${plain}="${value}"` : "";
}

const CLOSED = /<([a-z][a-z0-9]{0,20})((?:\s[^<>]{0,500})?)(?<!\s)\s*\/>/g;

/** The text with an end tag for each element that ends in its tag, `<a id="x" />`: HTML would leave it open. */
export function closedElements(text: string): string {
  return text.replaceAll(CLOSED, (whole, name: string, attributes: string) =>
    VOID_ELEMENTS.has(name) ? whole : `<${name}${attributes}></${name}>`,
  );
}

/** A component that is open at a place of a text. */
interface OpenComponent {
  readonly name: string;
  readonly tag: string;
  readonly tabs: { readonly title: string; readonly lines: readonly string[] }[];
  text: string;
}

/**
 * The text without components: tabs become those of this project, of any other one the content stays, without the
 * indentation that would make it code. `names` gets those that are left out, and whether they have no content.
 * `shown`: components that have a text of their own.
 */
export function withoutComponents(
  text: string,
  names: Map<string, boolean>,
  shown: Readonly<Record<string, ShowComponent>> = {},
): string {
  const tagEnd = createTagEndFinder(text);
  const root: OpenComponent = { name: "", tag: "", tabs: [], text: "" };
  const open: OpenComponent[] = [root];
  const counts = new Map<string, number>();
  const top = (): OpenComponent => open.at(-1) ?? root;
  const close = (isWhole: boolean): void => {
    const component = open.pop() ?? root;
    counts.set(component.name, (counts.get(component.name) ?? 1) - 1);
    const isTabs = Object.hasOwn(TABS, component.name) && component.tabs.length > 0;
    const isTab = isTabOf(component, top());
    const own = isWhole ? showOwn(component) : null;
    if (own !== null) {
      addBlock(own, top());
      return;
    }
    if (!isWhole || (!isTabs && !isTab)) names.set(component.name, false);
    endComponent(component, top(), isWhole);
  };
  const showOwn = ({ name, tag, text: inner }: OpenComponent): string | null => {
    const show = Object.hasOwn(shown, name) ? shown[name] : undefined;
    const content = inner.includes("\n") ? dedented(inner.split("\n")).join("\n") : inner;
    return show?.({ name, tag, text: content }) ?? null;
  };
  /** An end without its start is left out as well. */
  const closeNamed = (name: string): void => {
    if ((counts.get(name) ?? 0) === 0) names.set(name, false);
    else {
      while (top().name !== name) close(false);
      close(true);
    }
  };
  let done = 0;
  for (const { index, 0: head, 1: slash, 2: name = "" } of text.matchAll(COMPONENT)) {
    const end = index < done ? null : tagEnd(index + head.length);
    if (end === null) continue;
    const tag = text.slice(index, end);
    top().text += text.slice(done, index);
    done = end;
    if (slash !== "") closeNamed(name);
    else if (!tag.endsWith("/>")) {
      open.push({ name, tag, tabs: [], text: "" });
      counts.set(name, (counts.get(name) ?? 0) + 1);
    } else {
      const own = showOwn({ name, tag, tabs: [], text: "" });
      if (own !== null) addBlock(own, top());
      else if (!names.has(name)) names.set(name, true);
    }
  }
  top().text += text.slice(done);
  while (open.length > 1) close(false);
  return root.text;
}

function labelOf(tag: string): string {
  return attributeOf(tag, "label") ?? attributeOf(tag, "title") ?? attributeOf(tag, "value") ?? "";
}

function isTabOf({ name }: OpenComponent, above: OpenComponent): boolean {
  return TAB_ITEMS.has(name) && TABS[above.name] === name;
}

/** Adds a text; one of several lines keeps the indentation of the place. */
function addBlock(text: string, above: OpenComponent): void {
  const indent = /(?:^|\n)([ \t]*)$/.exec(above.text.slice(-100))?.[1] ?? "";
  above.text += text.split("\n").join(`\n${indent}`);
}

function firstOf(match: RegExpExecArray | null): string | null {
  return match?.slice(1).find((group) => group !== undefined) ?? null;
}

/** Adds what becomes of a component to the one around it. `isWhole`: its end was found. */
function endComponent(component: OpenComponent, above: OpenComponent, isWhole: boolean): void {
  const { name, tag, tabs, text } = component;
  if (isWhole && isTabOf(component, above)) {
    above.tabs.push({ title: labelOf(tag), lines: dedented(text.split("\n")) });
  } else if (isWhole && Object.hasOwn(TABS, name) && tabs.length > 0) {
    addBlock(tabLines(tabs).join("\n"), above);
  } else
    above.text += isWhole && text.includes("\n") ? dedented(text.split("\n")).join("\n") : text;
}

/**
 * The end of the tag that is open at a place of a text, whose attributes may be expressions as in JSX; null when it is
 * not closed before the next tag.
 * What follows a place outside of values is the same for every tag that reaches it, so it is looked at once.
 */
function createTagEndFinder(text: string): (from: number) => number | null {
  const find = finderIn(text);
  const braces = braceEnds(text);
  const ends = new Map<number, number | null>();
  return (from) => {
    const passed: number[] = [];
    let at = from;
    let end: number | null | undefined;
    while (end === undefined) {
      const next = find(/[<>"'{]/g, at);
      const start = next?.start ?? -1;
      const mark = text[start];
      if (ends.has(start)) end = ends.get(start) ?? null;
      else if (next === null || mark === "<") end = null;
      else if (mark === ">") end = next.end;
      else {
        passed.push(start);
        const close = mark === "{" ? braces.get(start) : text.indexOf(mark ?? "", next.end) + 1;
        if (close === undefined || close === 0) end = null;
        else at = close;
      }
    }
    for (const begin of passed) ends.set(begin, end);
    return end;
  };
}

/** The place after the closing brace of each opening one. */
function braceEnds(text: string): ReadonlyMap<number, number> {
  const ends = new Map<number, number>();
  const open: number[] = [];
  for (const { 0: brace, index } of text.matchAll(/[{}]/g)) {
    if (brace === "{") open.push(index);
    else {
      const start = open.pop();
      if (start !== undefined) ends.set(start, index + 1);
    }
  }
  return ends;
}

/** Markdown components (MDC) of Nuxt: known ones become Markdown of this project, of others the content stays. */
import { dedented } from "#lib/text";
import { listAnchor } from "../../text/attribute-lists.js";
import { calloutOf, containerLines, isCallout, tabLines } from "../../text/containers.js";
import { hideCode } from "../../text/hidden-code.js";
import { parseYamlMap, text as textOf } from "../files/front-matter.js";

const OPEN = /^[ \t]*(:{2,})([a-z][\w-]{0,60})(?:\[([^\]\n]*)\])?(?:\{([^\n]*)\})?[ \t]*$/;
const CLOSE = /^[ \t]*(:{2,})[ \t]*$/;
const SLOT = /^[ \t]*#([a-z][\w-]{0,60})(?:\{[^}\n]*\})?[ \t]*$/;
const INLINE =
  /(?<![\w:/\\]):([a-z][a-z0-9-]{0,60})(?:\[([^\]\n]{0,500})\](?:\{([^}\n]{0,500})\})?|\{([^}\n]{0,500})\}|(?=[ \t]*$))/gm;
const SPAN = /(?<!!)\[([^\]\n]{1,500})\](\{[^}\n]{0,300}\})/g;
const ATTRIBUTES =
  /(?<=[)*_`\uE000-\uF8FF])\{(?:[.#:]?[a-z][\w:-]*(?:=(?:"[^"\n]*"|'[^'\n]*'|[^\s}]+))?[ \t]*){1,20}\}/g;
const BINDING = /(?<!\\)\{\{([^{}\n]{0,300})\}\}/g;
const PROPERTY = /(?:^|\s):?([\w-]{1,60})(?:=(?:"([^"]*)"|'([^']*)'|([^\s}]+)))?/g;
const FENCE =
  /^([ \t>]*(?:[-*+][ \t]+|\d{1,9}[.)][ \t]+)?(?:`{3,}|~{3,})[ \t]*[\w+#.-]*)([^`\n]*)$/;

const MARK = /^[ \t>]*(?:[-*+][ \t]+|\d{1,9}[.)][ \t]+)?(`{3,}|~{3,})/;

/** A component with its content. */
interface MdcComponent {
  /** As the page has it. */
  readonly written: string;
  /** Without `prose-` and `u-`: components of the theme have both names. */
  readonly name: string;
  readonly colons: number;
  readonly props: ReadonlyMap<string, string>;
  /** Slot to its lines; the first one has the empty name. */
  readonly slots: Map<string, string[]>;
  slot: string;
  /** Tabs, when it is a group of them. */
  readonly tabs: { readonly title: string; readonly lines: readonly string[] }[];
}

/** The text with Markdown for known components, and what was lost. */
export function mdcText(
  body: string,
  data: Readonly<Record<string, unknown>> = {},
): { text: string; notes: string[] } {
  const notes = new Set<string>();
  const { text, restore } = hideCode(titledFences(body.replaceAll("\r\n", "\n")));
  const plain = components(text.split("\n"), notes, restore).join("\n");
  const spans = inlineText(plain, data, notes);
  return { text: restore(spans), notes: [...notes] };
}

/** Fences with a file name: `[a.ts]` is the title, except in a group, where it is the name of the tab. */
function titledFences(body: string): string {
  const groups: number[] = [];
  let fence = "";
  const lines = body.split("\n").map((line) => {
    const mark = MARK.exec(line)?.[1] ?? "";
    const isCode = fence !== "";
    if (isCode && mark.startsWith(fence) && /^[ \t>]*[`~]+[ \t]*$/.test(line)) fence = "";
    if (isCode) return line;
    const [, colons = "", name = ""] = OPEN.exec(line) ?? [];
    if (GROUPS.has(name)) groups.push(colons.length);
    else if (groups.at(-1) === CLOSE.exec(line)?.[1]?.length) groups.pop();
    fence = mark;
    return mark === "" ? line : titledFence(line, groups.length > 0);
  });
  return lines.join("\n");
}

function titledFence(line: string, isInGroup: boolean): string {
  const [, head = "", info = ""] = FENCE.exec(line) ?? [];
  const label = /\[([^[\]]+)\]/.exec(info)?.[1];
  if (label === undefined) return line;
  const rest = info
    .replace(/\[[^[\]]+\]/, " ")
    .replaceAll(/\s+/g, " ")
    .trim();
  const name = isInGroup ? `[${label}]` : `title="${label.replaceAll('"', "'")}"`;
  return [head, name, ...(rest === "" ? [] : [rest])].join(" ");
}

/** The lines without components. */
function components(
  lines: readonly string[],
  notes: Set<string>,
  restore: (text: string) => string,
): string[] {
  const open = new OpenComponents(notes);
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? "";
    const [head, colons = "", written = "", label, attributes = ""] = OPEN.exec(line) ?? [];
    if (head === undefined) {
      takeLine(lines, at, open);
      continue;
    }
    const { props, next } = readProps(lines, at, attributes, restore);
    at = next;
    open.begin(written, colons.length, props, label === undefined ? [] : [label]);
  }
  return open.finish();
}

/** A line that begins no component: the end of one, the beginning of a slot, or text. */
function takeLine(lines: readonly string[], at: number, open: OpenComponents): void {
  const line = lines[at] ?? "";
  const end = CLOSE.exec(line)?.[1]?.length;
  const slot = SLOT.exec(line)?.[1];
  if (end !== undefined && open.has(end)) open.end(end);
  else if (slot !== undefined && open.isInside && !isTag(lines, at)) open.slot(slot);
  else open.add(line);
}

/** The components that are open at a line, the innermost last. */
class OpenComponents {
  readonly #notes: Set<string>;
  readonly #open: MdcComponent[] = [createComponent("", 0, new Map(), [])];

  constructor(notes: Set<string>) {
    this.#notes = notes;
  }

  get isInside(): boolean {
    return this.#open.length > 1;
  }

  has(colons: number): boolean {
    return this.#open.some((one) => one.colons === colons);
  }

  begin(
    written: string,
    colons: number,
    props: ReadonlyMap<string, string>,
    content: readonly string[],
  ): void {
    this.#open.push(createComponent(written, colons, props, content));
  }

  slot(name: string): void {
    const top = this.#open.at(-1);
    if (top !== undefined) top.slot = name;
  }

  add(...lines: readonly string[]): void {
    const top = this.#open.at(-1);
    if (top === undefined) return;
    const slot = top.slots.get(top.slot) ?? [];
    for (const line of lines) slot.push(line);
    top.slots.set(top.slot, slot);
  }

  /** Ends the innermost component with so many colons, and those in it. */
  end(colons: number): void {
    for (;;) {
      const isLast = this.#open.at(-1)?.colons === colons;
      this.#close();
      if (isLast) return;
    }
  }

  finish(): string[] {
    while (this.isInside) this.#close();
    return this.#open[0]?.slots.get("") ?? [];
  }

  #close(): void {
    const component = this.#open.pop();
    const above = this.#open.at(-1);
    if (component !== undefined && above !== undefined)
      this.add(...shown(component, above, this.#notes));
  }
}

function createComponent(
  written: string,
  colons: number,
  props: ReadonlyMap<string, string>,
  content: readonly string[],
): MdcComponent {
  const name = written.replace(/^(?:prose|u)-/, "");
  return { written, name, colons, props, slots: new Map([["", [...content]]]), slot: "", tabs: [] };
}

/** True for `#name` at the end of a paragraph, which is text; elsewhere it begins a slot. */
function isTag(lines: readonly string[], at: number): boolean {
  return (
    (lines[at - 1] ?? "").trim() !== "" &&
    !/^[ \t]*(?::{2,}|---|#)/.test(lines[at - 1] ?? "") &&
    (lines[at + 1] ?? "").trim() === ""
  );
}

/** The properties of a component: in braces, then as YAML between lines of dashes. `next`: its last line. */
function readProps(
  lines: readonly string[],
  at: number,
  attributes: string,
  restore: (text: string) => string,
): { props: ReadonlyMap<string, string>; next: number } {
  const props = readAttributes(restore(attributes));
  let first = at + 1;
  while ((lines[first] ?? "x").trim() === "" && first < at + 3) first += 1;
  if ((lines[first] ?? "").trim() !== "---") return { props, next: at };
  const last = lines.findIndex((line, index) => index > first && line.trim() === "---");
  if (last === -1 || last - first > 500) return { props, next: at };
  const parsed = parseYamlMap(restore(dedented(lines.slice(first + 1, last)).join("\n")));
  for (const [key, value] of Object.entries("data" in parsed ? parsed.data : {})) {
    const plain = typeof value === "boolean" ? String(value) : textOf(value);
    if (plain !== null) props.set(key.replace(/^:/, ""), plain);
  }
  return { props, next: last };
}

const KINDS: Readonly<Record<string, string>> = {
  primary: "note",
  secondary: "note",
  neutral: "note",
  gray: "note",
  blue: "info",
  green: "success",
  amber: "warning",
  orange: "warning",
  yellow: "warning",
  red: "danger",
};
const NOTICES: ReadonlySet<string> = new Set(["callout", "alert", "admonition"]);
/** Only arrange what is in them. */
const PLAIN: ReadonlySet<string> = new Set(
  "card-group card-grid code-preview code-collapse code-tree steps accordion field-group list grid div container page-section page-grid page-body page-columns".split(
    " ",
  ),
);
const GROUPS: ReadonlySet<string> = new Set(["tabs", "code-group"]);
const TABS: ReadonlySet<string> = new Set(["tabs-item", "tab", "tab-item", "div", "code-block"]);
const CARDS: ReadonlySet<string> = new Set(["card", "page-card", "page-feature", "feature"]);
const DETAILS: ReadonlySet<string> = new Set([
  "collapsible",
  "accordion-item",
  "details",
  "toggle",
  "collapse",
]);

const LINKS: ReadonlySet<string> = new Set(["read-more", "button", "button-link", "link"]);

/** The lines that stand for a component. */
function shown(component: MdcComponent, above: MdcComponent, notes: Set<string>): string[] {
  const { name, slots } = component;
  const lines = dedented(slots.get("") ?? []);
  const label = component.props.get("label") ?? titleOf(component);
  if (GROUPS.has(above.name) && TABS.has(name) && label !== "") {
    above.tabs.push({ title: label, lines });
    return [];
  }
  const show = showOf(name);
  if (show !== null) return ["", ...show(component, lines), ""];
  if (!PLAIN.has(name))
    notes.add(`component ::${component.written} was left out, its content stays`);
  const others = [...slots]
    .filter(([key]) => key !== "")
    .flatMap(([, inner]) => ["", ...dedented(inner), ""]);
  return ["", ...lines, ...others, ""];
}

type ShowLines = (component: MdcComponent, lines: readonly string[]) => string[];

/** How a component is shown; null for one without a counterpart. */
function showOf(name: string): ShowLines | null {
  if (isCallout(name) || NOTICES.has(name)) return notice;
  if (GROUPS.has(name)) return group;
  if (DETAILS.has(name)) return detailsOf;
  if (CARDS.has(name)) return card;
  if (LINKS.has(name)) return linkLine;
  if (name === "field") return field;
  return name === "badge" ? (_, lines) => lines.map(marked) : null;
}

function slotText({ slots }: MdcComponent, key: string): string {
  return dedented(slots.get(key) ?? [])
    .join("\n")
    .trim();
}

function titleOf(component: MdcComponent): string {
  return component.props.get("title") ?? slotText(component, "title");
}

function addressOf({ props }: MdcComponent): string | undefined {
  return props.get("to") ?? props.get("href");
}

function notice(component: MdcComponent, lines: readonly string[]): string[] {
  const { name, props } = component;
  const kind = isCallout(name) ? name : (props.get("type") ?? props.get("color") ?? "note");
  const description = props.get("description") ?? slotText(component, "description");
  const all = description === "" ? lines : [description, "", ...lines];
  return containerLines({
    name: calloutOf(KINDS[kind] ?? kind),
    title: titleOf(component),
    lines: all,
  });
}

function group({ tabs, slots }: MdcComponent, lines: readonly string[]): string[] {
  if (tabs.length > 0) return tabLines(tabs);
  // Older groups: each slot is a tab.
  const named = [...slots].filter(([key]) => key !== "");
  if (named.length === 0) return containerLines({ name: "code-group", title: "", lines });
  return tabLines(named.map(([key, inner]) => ({ title: key, lines: dedented(inner) })));
}

function detailsOf(component: MdcComponent, lines: readonly string[]): string[] {
  const { props } = component;
  const summary = props.get("label") ?? props.get("name") ?? props.get("summary");
  const title = summary ?? (slotText(component, "summary") || titleOf(component));
  const isOpen = [props.get("open"), props.get("defaultOpen")].includes("true");
  return containerLines({ name: "details", title, lines, isOpen });
}

function card(component: MdcComponent, lines: readonly string[]): string[] {
  const title = titleOf(component);
  const to = addressOf(component);
  const head = to === undefined ? `**${title}**` : `**[${title}](${to})**`;
  const text = [
    title === "" ? "" : head,
    component.props.get("description") ?? "",
    slotText(component, "description"),
    lines.join("\n").trim(),
  ];
  return text.filter((one) => one !== "").flatMap((one) => [one, ""]);
}

function field({ props }: MdcComponent, lines: readonly string[]): string[] {
  const type = props.get("type");
  const words = [
    `**${props.get("name") ?? ""}**`,
    ...(type === undefined ? [] : [`\`${type}\``]),
    ...(props.get("required") === "true" ? ["(required)"] : []),
  ];
  return [words.join(" "), "", ...lines];
}

function linkLine(component: MdcComponent, lines: readonly string[]): string[] {
  const to = addressOf(component) ?? "#";
  const label = titleOf(component) || component.props.get("label") || lines.join(" ").trim();
  return [`[${label || to}](${to})`];
}

function marked(line: string): string {
  return line.trim() === "" ? "" : `==${line.trim()}==`;
}

/** Inline components, attributes and bindings. */
function inlineText(
  text: string,
  data: Readonly<Record<string, unknown>>,
  notes: Set<string>,
): string {
  return text
    .replaceAll(INLINE, (whole, name: string, ...groups: (string | undefined)[]) => {
      const [label, one, two] = groups;
      const isBare = label === undefined && one === undefined && two === undefined;
      if (isBare && !BARE.has(name)) return whole;
      const props = readAttributes(one ?? two ?? "");
      return inline(name.replace(/^(?:prose|u)-/, ""), label ?? null, props, notes);
    })
    .replaceAll(SPAN, (_, label: string, list: string) => listAnchor(list) + label)
    .replaceAll(ATTRIBUTES, (list, at: number, all: string) =>
      /^\{#[\w-]+\}$/.test(list) && isInHeading(all, at) ? list : listAnchor(list),
    )
    .replaceAll(BINDING, (whole: string, inner: string) => {
      const value = bound(inner, data);
      if (value !== null) return value;
      notes.add(`the value {{ ${inner.trim().slice(0, 60)} }} stays as text`);
      return `\\${whole}`;
    });
}

function isInHeading(text: string, at: number): boolean {
  return /^[ \t>]*#{1,6}[ \t]/.test(text.slice(text.lastIndexOf("\n", at) + 1, at));
}

/** A value of the front matter, or what stands for a missing one; null without both. */
function bound(inner: string, data: Readonly<Record<string, unknown>>): string | null {
  const [, path = "", fallback] =
    /^\s*\$?(?:doc\.)?([\w.]+)\s*(?:\|\|\s*["']?([^"']*?)["']?\s*)?$/.exec(inner) ?? [];
  const value = Object.hasOwn(data, path) ? data[path] : fallback;
  return typeof value === "string" || typeof value === "number" ? String(value) : null;
}

/** `a="b" c` as a map; a name alone is `true`. */
function readAttributes(written: string): Map<string, string> {
  return new Map(
    [...written.matchAll(PROPERTY)].map(([, key = "", ...values]) => [
      key,
      values.find((value) => value !== undefined) ?? "true",
    ]),
  );
}

/** Known without brackets, alone at the end of a line. */
const BARE: ReadonlySet<string> = new Set(["br"]);

function inline(
  name: string,
  label: string | null,
  props: ReadonlyMap<string, string>,
  notes: Set<string>,
): string {
  const word = label ?? props.get("label") ?? props.get("value") ?? "";
  if (name === "br") return "<br>";
  if (name === "kbd") return `<kbd>${word}</kbd>`;
  if (name === "badge") return `==${word.trim()}==`;
  if (name === "icon") return "";
  const to = props.get("to") ?? props.get("href");
  if (to !== undefined) return `[${word || to}](${to})`;
  notes.add(`component :${name} was left out${label === null ? "" : ", its text stays"}`);
  return label ?? "";
}

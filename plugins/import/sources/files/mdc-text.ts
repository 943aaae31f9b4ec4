/** Markdown components (MDC) of Nuxt: known ones become Markdown of this project, of others the content stays. */
import { calloutOf, containerLines, dedented, isCallout, tabLines } from "../../text/containers.js";
import { hideCode } from "../../text/hidden-code.js";
import { parseYamlMap, text as textOf } from "./front-matter.js";

const OPEN = /^[ \t]*(:{2,})([a-z][\w-]{0,60})(?:\[([^\]\n]*)\])?(?:\{([^\n]*)\})?[ \t]*$/;
const CLOSE = /^[ \t]*(:{2,})[ \t]*$/;
const SLOT = /^[ \t]*#([a-z][\w-]{0,60})(?:\{[^}\n]*\})?[ \t]*$/;
const INLINE =
  /(?<![\w:/\\]):([a-z][a-z0-9-]{0,60})(?:\[([^\]\n]{0,500})\](?:\{([^}\n]{0,500})\})?|\{([^}\n]{0,500})\}|(?=[ \t]*$))/gm;
const SPAN = /(?<!!)\[([^\]\n]{1,500})\]\{[^}\n]{0,300}\}/g;
const ATTRIBUTES =
  /(?<=[)*_`\uE000-\uF8FF])\{(?:[.#:]?[a-z][\w:-]*(?:=(?:"[^"\n]*"|'[^'\n]*'|[^\s}]+))?[ \t]*){1,20}\}/g;
const BINDING = /(?<!\\)\{\{([^{}\n]{0,300})\}\}/g;
const PROPERTY = /(?:^|\s):?([\w-]{1,60})(?:=(?:"([^"]*)"|'([^']*)'|([^\s}]+)))?/g;
const FENCE =
  /^([ \t>]*(?:[-*+][ \t]+|\d{1,9}[.)][ \t]+)?(?:`{3,}|~{3,})[ \t]*[\w+#.-]*)([^`\n]*)$/;

/** A component with its content. */
interface MdcComponent {
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
  return body
    .split("\n")
    .map((line) => {
      const mark = /^[ \t>]*(?:[-*+][ \t]+|\d{1,9}[.)][ \t]+)?(`{3,}|~{3,})/.exec(line)?.[1] ?? "";
      if (fence !== "") {
        if (mark.startsWith(fence) && /^[ \t>]*[`~]+[ \t]*$/.test(line)) fence = "";
        return line;
      }
      const [, colons = "", name = ""] = OPEN.exec(line) ?? [];
      if (name === "code-group" || name === "tabs") groups.push(colons.length);
      else if (groups.at(-1) === CLOSE.exec(line)?.[1]?.length) groups.pop();
      if (mark === "") return line;
      fence = mark;
      const [, head = "", info = ""] = FENCE.exec(line) ?? [];
      const label = /\[([^\]]+)\]/.exec(info)?.[1];
      if (label === undefined) return line;
      const rest = info
        .replace(/\[[^\]]+\]/, " ")
        .replaceAll(/\s+/g, " ")
        .trim();
      const shown = groups.length > 0 ? `[${label}]` : `title="${label.replaceAll('"', "'")}"`;
      return [head, shown, ...(rest === "" ? [] : [rest])].join(" ");
    })
    .join("\n");
}

/** The lines without components. */
function components(
  lines: readonly string[],
  notes: Set<string>,
  restore: (text: string) => string,
): string[] {
  const root: MdcComponent = {
    name: "",
    colons: 0,
    props: new Map(),
    slots: new Map([["", []]]),
    slot: "",
    tabs: [],
  };
  const open: MdcComponent[] = [root];
  const top = (): MdcComponent => open.at(-1) ?? root;
  const add = (component: MdcComponent, added: readonly string[]): void => {
    const slot = component.slots.get(component.slot) ?? [];
    slot.push(...added);
    component.slots.set(component.slot, slot);
  };
  const close = (): void => {
    const component = open.pop() ?? root;
    add(top(), shown(component, top(), notes));
  };
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? "";
    const [, colons = "", name = "", label, attributes = ""] = OPEN.exec(line) ?? [];
    const end = CLOSE.exec(line)?.[1]?.length;
    const slot = open.length > 1 ? SLOT.exec(line)?.[1] : undefined;
    if (name !== "") {
      const { props, next } = readProps(lines, at, attributes, restore);
      at = next;
      open.push({
        name,
        colons: colons.length,
        props,
        slots: new Map([["", label === undefined ? [] : [label]]]),
        slot: "",
        tabs: [],
      });
    } else if (end !== undefined && open.some((one) => one.colons === end)) {
      while (top().colons !== end) close();
      close();
    } else if (slot !== undefined && !closesLater(lines, at)) top().slot = slot;
    else add(top(), [line]);
  }
  while (open.length > 1) close();
  return root.slots.get("") ?? [];
}

/** False: `#name` is a slot. A line such as `#tag` in a paragraph is text. */
function closesLater(lines: readonly string[], at: number): boolean {
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
  const props = new Map(
    [...restore(attributes).matchAll(PROPERTY)].map(([, key = "", ...values]) => [
      key,
      values.find((value) => value !== undefined) ?? "true",
    ]),
  );
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
const NOTICES: ReadonlySet<string> = new Set([
  "callout",
  "alert",
  "admonition",
  "u-alert",
  "u-callout",
]);
/** Only arrange what is in them. */
const PLAIN: ReadonlySet<string> = new Set(
  "card-group card-grid code-preview code-collapse code-tree steps accordion field-group list grid div u-container u-page-section u-page-grid u-page-body u-page-columns".split(
    " ",
  ),
);
const GROUPS: ReadonlySet<string> = new Set(["tabs", "code-group", "u-tabs", "code-block-group"]);
const TABS: ReadonlySet<string> = new Set(["tabs-item", "tab", "tab-item", "div", "code-block"]);
const CARDS: ReadonlySet<string> = new Set([
  "card",
  "u-page-card",
  "u-page-feature",
  "page-card",
  "feature",
]);
const DETAILS: ReadonlySet<string> = new Set([
  "collapsible",
  "accordion-item",
  "details",
  "toggle",
  "collapse",
]);

/** The lines that stand for a component. */
function shown(component: MdcComponent, above: MdcComponent, notes: Set<string>): string[] {
  const { name, props, slots, tabs } = component;
  const lines = dedented(slots.get("") ?? []);
  const slot = (key: string): string =>
    dedented(slots.get(key) ?? [])
      .join("\n")
      .trim();
  const title = props.get("title") ?? slot("title");
  if (isCallout(name) || NOTICES.has(name)) {
    const kind = isCallout(name) ? name : (props.get("type") ?? props.get("color") ?? "note");
    const description = props.get("description") ?? slot("description");
    const all = description === "" ? lines : [description, "", ...lines];
    return ["", ...containerLines({ name: calloutOf(KINDS[kind] ?? kind), title, lines: all }), ""];
  }
  const label = props.get("label") ?? title;
  if (GROUPS.has(above.name) && TABS.has(name) && label !== "") {
    above.tabs.push({ title: label, lines });
    return [];
  }
  if (GROUPS.has(name)) {
    if (tabs.length > 0) return ["", ...tabLines(tabs), ""];
    // Older groups: each slot is a tab.
    const named = [...slots].filter(([key]) => key !== "");
    if (named.length > 0)
      return [
        "",
        ...tabLines(named.map(([key, inner]) => ({ title: key, lines: dedented(inner) }))),
        "",
      ];
    return ["", ...containerLines({ name: "code-group", title: "", lines }), ""];
  }
  if (DETAILS.has(name)) {
    const summary =
      props.get("label") ?? props.get("name") ?? props.get("summary") ?? slot("summary");
    const isOpen = props.get("open") === "true" || props.get("defaultOpen") === "true";
    return ["", ...containerLines({ name: "details", title: summary || title, lines, isOpen }), ""];
  }
  if (CARDS.has(name)) {
    const to = props.get("to") ?? props.get("href");
    const head = title === "" ? [] : [to === undefined ? `**${title}**` : `**[${title}](${to})**`];
    const text = [
      props.get("description") ?? "",
      slot("description"),
      lines.join("\n").trim(),
    ].filter((one) => one !== "");
    return ["", ...[...head, ...text].flatMap((one) => [one, ""])];
  }
  if (name === "field") {
    const type = props.get("type");
    const words = [
      `**${props.get("name") ?? ""}**`,
      ...(type === undefined ? [] : [`\`${type}\``]),
      ...(props.get("required") === "true" ? ["(required)"] : []),
    ];
    return ["", words.join(" "), "", ...lines, ""];
  }
  if (name === "read-more" || name === "u-button" || name === "button-link") {
    const to = props.get("to") ?? props.get("href") ?? "#";
    return ["", `[${title || props.get("label") || lines.join(" ").trim() || to}](${to})`, ""];
  }
  if (name === "badge")
    return ["", ...lines.map((line) => (line.trim() === "" ? "" : `==${line.trim()}==`)), ""];
  if (!PLAIN.has(name)) notes.add(`component ::${name} was left out, its content stays`);
  const others = [...slots]
    .filter(([key]) => key !== "")
    .flatMap(([, inner]) => ["", ...dedented(inner), ""]);
  return ["", ...lines, ...others, ""];
}

/** Inline components, attributes and bindings. */
function inlineText(
  text: string,
  data: Readonly<Record<string, unknown>>,
  notes: Set<string>,
): string {
  return text
    .replaceAll(INLINE, (whole, name: string, label?: string, one?: string, two?: string) => {
      const props = new Map(
        [...(one ?? two ?? "").matchAll(PROPERTY)].map(([, key = "", ...values]) => [
          key,
          values.find((value) => value !== undefined) ?? "true",
        ]),
      );
      if (label === undefined && one === undefined && two === undefined && !BARE.has(name))
        return whole;
      return inline(name, label ?? null, props, notes);
    })
    .replaceAll(SPAN, "$1")
    .replaceAll(ATTRIBUTES, (whole) => (/^\{#[\w-]+\}$/.test(whole) ? whole : ""))
    .replaceAll(BINDING, (whole: string, inner: string) => {
      const [, path = "", fallback] =
        /^\s*\$?(?:doc\.)?([\w.]+)\s*(?:\|\|\s*["']?([^"']*?)["']?\s*)?$/.exec(inner) ?? [];
      const value = Object.hasOwn(data, path) ? data[path] : fallback;
      if (typeof value === "string" || typeof value === "number") return String(value);
      notes.add(`the value {{ ${inner.trim().slice(0, 60)} }} stays as text`);
      return `\\${whole}`;
    });
}

/** Known without brackets, alone at the end of a line. */
const BARE: ReadonlySet<string> = new Set(["br"]);

function inline(
  name: string,
  label: string | null,
  props: ReadonlyMap<string, string>,
  notes: Set<string>,
): string {
  if (name === "br") return "<br>";
  if (name === "kbd") return `<kbd>${label ?? props.get("value") ?? ""}</kbd>`;
  if (name === "badge" || name === "u-badge")
    return `==${(label ?? props.get("label") ?? "").trim()}==`;
  if (name === "icon" || name === "u-icon") return "";
  const to = props.get("to") ?? props.get("href");
  if (to !== undefined) return `[${label ?? props.get("label") ?? to}](${to})`;
  notes.add(`component :${name} was left out${label === null ? "" : ", its text stays"}`);
  return label ?? "";
}

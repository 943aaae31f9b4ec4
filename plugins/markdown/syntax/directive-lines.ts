/** Lines that open a container: `:::note`, `::: tip Title`, `::: details Title {open}`. */

/** Names of the callouts. */
export const CALLOUTS: ReadonlySet<string> = new Set(
  "note tip info important warning caution danger success".split(" "),
);
const CONTAINERS = new Set([...CALLOUTS, "details", "code-group", "tabs", "tab", "raw", "v-pre"]);

const OPENING =
  /^((?:[ \t]|>|[*+-][ \t]|\d{1,9}[.)][ \t]){0,40})(:{3,})[ \t]*([a-z][a-z-]*)(?:[ \t]+([^\n]*?))?[ \t]*$/gim;
const ATTRIBUTES = /(?:^|(?<![ \t])[ \t]+)(\{[^{}]*\})$/;

/** True for the name of a container that is known. */
export function isContainer(name: string): boolean {
  return CONTAINERS.has(name.toLowerCase());
}

/** A text whose container lines have the form `:::name[Title]{attributes}`. */
export interface DirectiveSource {
  readonly source: string;
  /** The lines as written, by the new ones; to restore those that are code. */
  readonly written: ReadonlyMap<string, string>;
  /** True when the text may contain a container. */
  readonly hasAny: boolean;
}

/** Brings the lines that open a known container into the form of the generic directives proposal. */
export function toDirectives(source: string): DirectiveSource {
  const written = new Map<string, string>();
  let hasAny = /^[^\r\n]*:::[a-z-]+[[{]/im.test(source);
  const rewritten = source.replace(OPENING, (line: string, ...groups: unknown[]) => {
    const [prefix = "", colons = "", name = "", title] = groups.map(textOrUndefined);
    if (!isContainer(name)) return line;
    hasAny = true;
    const next = `${colons}${name.toLowerCase()}${labelOf(title ?? "")}`;
    written.set(next, line.slice(prefix.length));
    return prefix + next;
  });
  return { source: rewritten, written, hasAny };
}

/** The text as it was written. */
export function restored(value: string, written: DirectiveSource["written"]): string {
  if (!value.includes(":::")) return value;
  return value.replace(/:::[^\n]*/g, (line) => written.get(line.trimEnd()) ?? line);
}

function labelOf(title: string): string {
  const attributes = ATTRIBUTES.exec(title)?.[1] ?? "";
  const label = title.slice(0, title.length - attributes.length).trim();
  return (label === "" ? "" : `[${isBalanced(label) ? label : escaped(label)}]`) + attributes;
}

function isBalanced(text: string): boolean {
  let depth = 0;
  for (const character of text) {
    if (character === "[") depth += 1;
    else if (character === "]") depth -= 1;
    if (depth < 0) return false;
  }
  return depth === 0;
}

function escaped(text: string): string {
  return text.replace(/[[\]]/g, "\\$&");
}

function textOrUndefined(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** Containers of this project, for what other systems write in another way. */

/** A container: a callout, details, or a tab. */
export interface Container {
  /** `note`, `tip`, `details`, `tab` … */
  readonly name: string;
  /** Its title; empty for none. */
  readonly title: string;
  readonly lines: readonly string[];
  /** True: `details` that are open. Default false. */
  readonly isOpen?: boolean;
}

/** Kind of a notice in other systems to the callout that shows it; any other kind is a note. */
const CALLOUTS: Readonly<Record<string, string>> = {
  note: "note",
  quote: "note",
  cite: "note",
  abstract: "info",
  summary: "info",
  tldr: "info",
  info: "info",
  information: "info",
  todo: "info",
  question: "info",
  help: "info",
  faq: "info",
  example: "info",
  tip: "tip",
  hint: "tip",
  important: "important",
  success: "success",
  check: "success",
  done: "success",
  warning: "warning",
  warn: "warning",
  attention: "warning",
  caution: "caution",
  failure: "danger",
  fail: "danger",
  missing: "danger",
  danger: "danger",
  error: "danger",
  bug: "danger",
};

/** True for the kind of a notice that has a callout. */
export function isCallout(kind: string): boolean {
  return Object.hasOwn(CALLOUTS, kind.toLowerCase());
}

/** The callout for the kind of a notice. */
export function calloutOf(kind: string): string {
  return isCallout(kind) ? (CALLOUTS[kind.toLowerCase()] ?? "note") : "note";
}

/** The lines of a container, with more colons than the containers inside. */
export function containerLines({ name, title, lines, isOpen = false }: Container): string[] {
  const inside = lines.map((line) => /^[ \t]*(:{3,})/.exec(line)?.[1]?.length ?? 2);
  const colons = ":".repeat(Math.max(2, ...inside) + 1);
  const head = [name, ...(title === "" ? [] : [title]), ...(isOpen ? ["{open}"] : [])].join(" ");
  return [`${colons} ${head}`, ...trimmed(lines), colons];
}

/** The lines of a group of tabs. */
export function tabLines(tabs: readonly Omit<Container, "name">[]): string[] {
  const lines = tabs.flatMap((tab) => containerLines({ ...tab, name: "tab" }));
  return containerLines({ name: "tabs", title: "", lines });
}

/** The lines without empty ones at both ends. */
function trimmed(lines: readonly string[]): readonly string[] {
  const isText = (line: string): boolean => line.trim() !== "";
  const first = lines.findIndex(isText);
  return first === -1 ? [] : lines.slice(first, lines.findLastIndex(isText) + 1);
}

const TITLED_ALERT =
  /^([ \t]*(?:>[ \t]*)+)\[!(note|tip|important|warning|caution)\][ \t]+(\S[^\n]*)$/gim;

/** The text with the titles of alerts, `> [!NOTE] Title`, on lines of their own: GitHub and this project have none. */
export function titledAlerts(text: string): string {
  return text.replaceAll(
    TITLED_ALERT,
    (_, quote: string, kind: string, title: string) =>
      `${quote}[!${kind.toUpperCase()}]\n${quote}**${title.trim()}**`,
  );
}

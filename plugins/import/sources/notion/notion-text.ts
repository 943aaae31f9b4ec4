/** Markdown of Notion's exports: callouts, toggles, embeds and links to published pages. */
import { dedented, replaceMarks } from "#lib/text";
import { embedAddress } from "../../text/markdown-text.js";
import { containerLines } from "../../text/containers.js";
import { outsideCode } from "../../text/hidden-code.js";

const ASIDE = /^([ \t]*)<aside>[ \t]*\n?/gm;
const END_ASIDE = /(?<![ \t])[ \t]*<\/aside>/g;
const DETAILS =
  /^([ \t]*)<details( open)?[^>\n]{0,100}>[ \t]*\n?[ \t]*<summary>([^\n]{0,1000}?)<\/summary>/gm;
const END_DETAILS = /(?<![ \t])[ \t]*<\/details>/g;
const ICON =
  /^\s*(?:<img\b[^>\n]{0,1000}\/?>|(\p{Extended_Pictographic}[\u{fe0f}\u{200d}\p{Extended_Pictographic}]*))[ \t]*\n*/u;
const PUBLISHED =
  /https?:\/\/(?:[\w-]{1,60}\.)?notion\.(?:so|site|com)\/[^\s)<>"]{0,300}?([0-9a-f]{32})(?:\?[^\s)<>"#]{0,300})?(?:#[0-9a-f]{32})?(?=[\s)<>"]|$)/gi;
const ALONE = /^[ \t]*\[[^\]\n]{1,1000}\]\((https?:\/\/[^)\s]{1,1000})\)[ \t]*$/gm;
const PLAIN_TEXT =
  /^([ \t>]*(?:[-*+][ \t]+|\d{1,9}[.)][ \t]+)?(?:`{3,}|~{3,}))plain text[ \t]*$/gim;
const FORMULA = /(?<![\\$])\$(?!\s|\d)[^$\n]{1,500}(?<!\s)\$(?!\d)|^[ \t]*\$\$[ \t]*$/m;

/** The callout that an icon stands for; any other one is a note. */
const KINDS: Readonly<Record<string, string>> = {
  "💡": "tip",
  "👉": "tip",
  ℹ: "info",
  "📌": "important",
  "❗": "important",
  "⭐": "important",
  "⚠": "warning",
  "🚧": "warning",
  "🛑": "danger",
  "🚨": "danger",
  "❌": "danger",
  "🔥": "danger",
  "✅": "success",
  "🎉": "success",
};

/** The text as Markdown of this project, and what needs a setting. */
export function notionText(body: string): { text: string; notes: string[] } {
  const notes = new Set<string>();
  const text = outsideCode(
    body.replaceAll("\r\n", "\n").replaceAll(PLAIN_TEXT, "$1text"),
    (part) => {
      if (FORMULA.test(part)) notes.add("formulas need markdown.math: true in site.yaml");
      const called = replaceMarks(part, ASIDE, ({ index, 0: head, 1: indent = "" }, find) => {
        const end = find(END_ASIDE, index + head.length);
        if (end === null) return null;
        return {
          text: indented(callout(part.slice(index + head.length, end.start)), indent),
          end: end.end,
        };
      });
      return withDetails(called)
        .replaceAll(PUBLISHED, (_, id: string) => `/${id.toLowerCase()}`)
        .replaceAll(ALONE, (whole, address: string) => embedAddress(address) ?? whole);
    },
  );
  return { text, notes: [...notes] };
}

/** The inner ones first: toggles contain toggles. */
function withDetails(text: string): string {
  let result = text;
  for (let depth = 0; depth < 10; depth += 1) {
    const before = result;
    result = replaceMarks(
      before,
      DETAILS,
      ({ index, 0: head, 1: indent = "", 2: open, 3: title = "" }, find) => {
        const start = index + head.length;
        const end = find(END_DETAILS, start);
        const inner = end === null ? "" : before.slice(start, end.start);
        if (end === null || /<details\b/.test(inner)) return null;
        const lines = containerLines({
          name: "details",
          title: title.replaceAll(/<[^<>]*>/g, "").trim(),
          lines: dedented(inner.split("\n")),
          isOpen: open !== undefined,
        });
        return { text: indented(lines, indent), end: end.end };
      },
    );
    if (result === before) break;
  }
  return result;
}

function callout(inner: string): string[] {
  const [icon = "", emoji] = ICON.exec(inner) ?? [];
  const kind = emoji === undefined ? undefined : KINDS[emoji.replaceAll("\u{fe0f}", "")];
  // An icon that means no kind stays: it may be a part of the text.
  const shown = emoji !== undefined && kind === undefined ? inner : inner.slice(icon.length);
  return containerLines({ name: kind ?? "note", title: "", lines: dedented(shown.split("\n")) });
}

function indented(lines: readonly string[], indent: string): string {
  return lines.map((line) => (line === "" ? line : indent + line)).join("\n");
}

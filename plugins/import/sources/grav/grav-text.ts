/** Shortcodes and notices of Grav as Markdown of this project. */
import { dedented, replaceMarks } from "#lib/text";
import { containerLines, tabLines } from "../../text/containers.js";
import { fencedCode, outsideCode } from "../../text/hidden-code.js";
import { liquidText } from "../../text/liquid-text.js";

/** `[prism classes="language-bash"]` and others whose content is code. */
const CODE = /^([ \t]*)\[(prism|raw|code|codesh)\b([^\]\n]{0,300})\][ \t]*\n?/gm;
const TABS = /\[ui-tabs\b[^\]\n]{0,300}\]/g;
const TAB =
  /\[ui-tab\b(?:[^\]\n]*?\btitle=(?:"([^"\n]*)"|'([^'\n]*)'))?[^\]\n]*\]((?:(?!\[\/?ui-tab\b)[^])*)\[\/ui-tab\]/g;
const TAG = /\[(\/?)([a-z][\w-]{0,40})(?:[ \t=][^\]\n]{0,300})?\](?![([:])/g;
/** A notice: yellow, red, blue, green. */
const NOTICE = /^(!{1,4})[ \t]+(\S[^\n]*)$/;
const KINDS = ["warning", "danger", "info", "tip"] as const;

/** The text as Markdown of this project, and what was lost. */
export function gravText(body: string): { text: string; notes: string[] } {
  const kept = new Set<string>();
  const listed = replaceMarks(body, CODE, (opening, find) => {
    const [head, indent = "", name = "", options = ""] = opening;
    const start = opening.index + head.length;
    const close = find(new RegExp(`\\[/${name}\\]`, "g"), start);
    if (close === null) return null;
    const language = /language-([\w+#-]+)/.exec(options)?.[1] ?? "";
    const code = body.slice(start, close.start).replace(/(?<!\s)\s+$/, "");
    const block = fencedCode(language, dedented(code.split("\n")).join("\n"));
    return { text: block.replaceAll(/^(?=[^\n])/gm, indent), end: close.end };
  });
  const shown = outsideCode(listed, (part) => withNotices(withoutTags(withTabs(part), kept)));
  const { text, notes } = liquidText(shown);
  const lost = [...kept].map((name) => `shortcode [${name}] was left out, its content stays`);
  return { text, notes: [...notes, ...lost] };
}

function withTabs(text: string): string {
  return replaceMarks(text, TABS, ({ index, 0: head }, find) => {
    const close = find("[/ui-tabs]", index);
    if (close === null) return null;
    const inner = text.slice(index + head.length, close.start);
    const tabs = [...inner.matchAll(TAB)].map(([, double, single, content = ""]) => ({
      title: double ?? single ?? "",
      lines: dedented(content.split("\n")),
    }));
    return tabs.length === 0 ? null : { text: tabLines(tabs).join("\n"), end: close.end };
  });
}

/** The text without shortcodes that have an end; names of those in prose have none. */
function withoutTags(text: string, kept: Set<string>): string {
  const ended = new Set(
    [...text.matchAll(TAG)].filter(([, slash]) => slash === "/").map(([, , name]) => name),
  );
  return text.replaceAll(TAG, (tag: string, _slash: string, name: string) => {
    if (!ended.has(name)) return tag;
    kept.add(name);
    return "";
  });
}

function withNotices(text: string): string {
  const result: string[] = [];
  let mark = "";
  let notice: string[] = [];
  const end = (): void => {
    const name = KINDS[mark.length - 1] ?? "note";
    if (notice.length > 0) result.push(...containerLines({ name, title: "", lines: notice }));
    notice = [];
  };
  for (const line of text.split("\n")) {
    const [, next = "", words = ""] = NOTICE.exec(line) ?? [];
    if (next !== mark) end();
    mark = next;
    if (mark === "") result.push(line);
    else notice.push(words);
  }
  end();
  return result.join("\n");
}

/**
 * A page's file as front matter and body. Joined again, both are the file byte for byte: an edit
 * changes the lines of its key and nothing else.
 */
import { isRecord } from "#lib/values";
import { readYaml } from "#lib/yaml/reading";
import { frontMatterClosing, frontMatterOpening } from "#lib/front-matter";

/** A file in three parts: `open + yaml + close + body` is the file. */
export interface TextFile {
  /** Byte order mark and opening fence; empty without front matter. */
  readonly open: string;
  readonly yaml: string;
  readonly close: string;
  readonly body: string;
  readonly syntax: "yaml" | "toml";
}
/** The values of front matter, or why they cannot be read. */
export type FrontMatter =
  | { readonly values: Readonly<Record<string, unknown>>; readonly error: null }
  | {
      readonly values: null;
      readonly error: string;
      /** The line in the front matter, from 1. */
      readonly line: number;
    };

/** Splits a file at its fences. */
export function splitFile(raw: string): TextFile {
  const mark = raw.startsWith("\uFEFF") ? "\uFEFF" : "";
  const opening = frontMatterOpening(raw.slice(mark.length));
  const start = mark.length + (opening?.length ?? 0);
  const closing = opening === null ? null : frontMatterClosing(raw, start, opening.mark);
  if (opening === null || closing === null) {
    return { open: mark, yaml: "", close: "", body: raw.slice(mark.length), syntax: "yaml" };
  }
  return {
    open: raw.slice(0, start),
    yaml: raw.slice(start, closing.start),
    close: raw.slice(closing.start, closing.end),
    body: raw.slice(closing.end),
    syntax: opening.syntax,
  };
}

/** The whole file. A body behind a fence without a line end starts on a line of its own. */
export function joinFile({ open, yaml, close, body }: TextFile): string {
  const isGlued = close !== "" && body !== "" && !close.endsWith("\n");
  const lineEnd = isGlued ? lineBreakOf(open) : "";
  return open + yaml + close + lineEnd + body;
}

/** The values of front matter; TOML is edited as text. */
export function readFrontMatter(yaml: string, syntax: TextFile["syntax"] = "yaml"): FrontMatter {
  if (syntax === "toml") {
    return { values: null, error: "front matter in TOML is edited as text", line: 1 };
  }
  const document = readYaml(yaml, { allowsMore: true });
  const { mistake, values } = document;
  if (mistake !== null) return { values: null, error: mistake.message, line: mistake.line };
  if (isRecord(values)) return { values, error: null };
  return values === null
    ? { values: {}, error: null }
    : { values: null, error: "front matter is not a map", line: document.lineOf([]) };
}

/** The line break of a text: that of Windows where it has one. */
export function lineBreakOf(text: string): "\n" | "\r\n" {
  return text.includes("\r\n") ? "\r\n" : "\n";
}

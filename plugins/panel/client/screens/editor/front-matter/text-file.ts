/**
 * A page's file as front matter and body. Joined again, both are the file byte for byte: an edit
 * changes the lines of its key and nothing else.
 */
import { editYaml, parseYaml, YamlEditError } from "#lib/yaml";
import { isMap } from "yaml";

/** A file in three parts: `open + yaml + close + body` is the file. */
export interface TextFile {
  /** Byte order mark and opening fence; empty without front matter. */
  readonly open: string;
  readonly yaml: string;
  readonly close: string;
  readonly body: string;
}
/** The values of front matter, or why they cannot be read. */
export type FrontMatter =
  | { readonly values: Readonly<Record<string, unknown>>; readonly error: null }
  | {
      readonly values: null;
      readonly error: string;
      /** Of the front matter, from 1. */
      readonly line: number;
    };

/** `---` (YAML) or `+++` (TOML); after blank lines and comments where a field follows. */
const OPENING =
  /^\uFEFF?(?:(?:---[ \t]*(?:ya?ml|toml|json)?|\+\+\+)[ \t]*\r?\n|(?:[ \t]*(?:<!--[^]*?-->[ \t]*)?\r?\n){1,200}(?:---|\+\+\+)[ \t]*\r?\n(?=[^\s:=#<>-][^:=\n]*[:=]))/;
const CLOSING = /^(?:---|\.\.\.)[ \t\r]*(?:\n|$)/m;
const CLOSING_TOML = /^\+\+\+[ \t\r]*(?:\n|$)/m;

/** Splits a file at its fences. */
export function splitFile(raw: string): TextFile {
  const open = OPENING.exec(raw)?.[0] ?? "";
  const rest = raw.slice(open.length);
  const closing = open.includes("+++") ? CLOSING_TOML : CLOSING;
  const close = open === "" ? null : closing.exec(rest);
  if (close === null) {
    const mark = raw.startsWith("\uFEFF") ? "\uFEFF" : "";
    return { open: mark, yaml: "", close: "", body: raw.slice(mark.length) };
  }
  const after = close.index + close[0].length;
  return { open, yaml: rest.slice(0, close.index), close: close[0], body: rest.slice(after) };
}

/** The whole file. A body behind a fence without a line end starts on a line of its own. */
export function joinFile({ open, yaml, close, body }: TextFile): string {
  const isGlued = close !== "" && body !== "" && !close.endsWith("\n");
  const lineEnd = isGlued ? lineBreakOf(open) : "";
  return open + yaml + close + lineEnd + body;
}

/** The values of the front matter. */
export function readFrontMatter(yaml: string): FrontMatter {
  const document = parseYaml(yaml, { logLevel: "silent" });
  const [mistake] = document.errors;
  if (mistake !== undefined) return broken(yaml, mistake.message, mistake.pos[0]);
  const { contents } = document;
  if (contents === null) return { values: {}, error: null };
  if (!isMap(contents)) return broken(yaml, "front matter is not a map", contents.range[0]);
  try {
    const values: Record<string, unknown> = document.toJS({ maxAliasCount: 100 });
    return { values, error: null };
  } catch (failure) {
    return broken(yaml, failure instanceof Error ? failure.message : String(failure), 0);
  }
}

function broken(yaml: string, error: string, at: number): FrontMatter {
  return { values: null, error, line: new YamlEditError(error, { at }, yaml).line };
}

/**
 * A file with one key of its front matter set; undefined removes the key.
 * @throws YamlEditError for a key whose value another key uses.
 */
export function setKey(file: TextFile, key: string, value: unknown): TextFile {
  if (file.close === "") {
    if (value === undefined) return file;
    const fence = `---${lineBreakOf(file.body)}`;
    return setKey({ ...file, open: `${file.open}${fence}`, close: fence }, key, value);
  }
  // A list or a text has no keys: it is edited as a whole.
  if (readFrontMatter(file.yaml).values === null) return file;
  const yaml = editYaml(file.yaml, [{ path: [key], value }], { lineBreak: lineBreakOf(file.open) });
  return yaml === file.yaml ? file : { ...file, yaml };
}

function lineBreakOf(text: string): "\n" | "\r\n" {
  return text.includes("\r\n") ? "\r\n" : "\n";
}

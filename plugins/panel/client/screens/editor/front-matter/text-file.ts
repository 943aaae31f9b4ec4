/**
 * A page's file as front matter and body. Joined again, both are the file byte for byte: an edit
 * changes the lines of its key and nothing else.
 */
import { isMap, parseDocument } from "yaml";
import { editYaml } from "./edit-yaml.js";

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
  | { readonly values: null; readonly error: string };

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

/** The whole file. */
export function joinFile({ open, yaml, close, body }: TextFile): string {
  return open + yaml + close + body;
}

/** The values of the front matter. */
export function readFrontMatter(yaml: string): FrontMatter {
  const document = parseDocument(yaml, { version: "1.2" });
  const [error] = document.errors;
  if (error !== undefined) return { values: null, error: error.message };
  if (document.contents === null) return { values: {}, error: null };
  if (!isMap(document.contents)) return { values: null, error: "front matter is not a map" };
  try {
    const values: Record<string, unknown> = document.toJS({ maxAliasCount: 100 });
    return { values, error: null };
  } catch (failure) {
    return { values: null, error: failure instanceof Error ? failure.message : String(failure) };
  }
}

/** A file with one key of its front matter set; undefined removes the key. */
export function setKey(file: TextFile, key: string, value: unknown): TextFile {
  if (file.close === "") {
    if (value === undefined) return file;
    const end = file.body.includes("\r\n") ? "\r\n" : "\n";
    const fence = `---${end}`;
    return setKey({ ...file, open: `${file.open}${fence}`, close: fence }, key, value);
  }
  // A list or a text has no keys: it is edited as a whole.
  if (readFrontMatter(file.yaml).values === null) return file;
  const end = file.open.endsWith("\r\n") ? "\r\n" : "\n";
  const yaml = editYaml(file.yaml, [key, value], end);
  return yaml === file.yaml ? file : { ...file, yaml };
}

/** Which fields of pages and sidecars a change may touch. */
import { isDeepStrictEqual } from "node:util";
import { parseYamlMap } from "../read/front-matter/full-yaml.js";
import { SIDECAR_ENDING } from "../read/media/media-listing.js";
import { toSourceRecord } from "../read/source-record.js";
import { Refusal } from "./refusal.js";

/** The keys of front matter and sidecars that may change, and `body`; null: all. */
type Fields = readonly string[] | null;

/** The name of a page's text among its fields. */
const BODY = "body";

/** @throws Refusal when the change touches a field that it may not touch; a media file has only its bytes. */
export function assertFields(
  { path, before, after }: { path: string; before: Buffer | null; after: Buffer },
  { fields, isMedia }: { fields: Fields; isMedia: boolean },
): void {
  if (fields === null) return;
  if (isMedia && !isSidecar(path)) throw limited(path, "the file", fields);
  const [old, now] = [fieldsOf(path, before), fieldsOf(path, after)];
  // A new page that may not be published starts as a draft.
  if (before === null && !isMedia && now.get("status") === "draft") now.delete("status");
  const names = [...new Set([...old.keys(), ...now.keys()])];
  const other = names.find(
    (name) => !fields.includes(name) && !isDeepStrictEqual(old.get(name), now.get(name)),
  );
  if (other !== undefined) throw limited(path, JSON.stringify(other), fields);
}

/** @throws Refusal when pages and media may not be deleted or moved as a whole. */
export function assertWhole(path: string, fields: Fields): void {
  // The keys of a sidecar were checked when it became empty.
  if (fields !== null && !isSidecar(path)) throw limited(path, "the whole file", fields);
}

/** @throws Refusal when only some fields may change: those of a page that cannot be read are unknown. */
export function assertReadable(path: string, fields: Fields): void {
  if (fields !== null) throw limited(path, "a page whose front matter cannot be read", fields);
}

/** True for a file with fields of media. */
export function isSidecar(path: string): boolean {
  return path.endsWith(SIDECAR_ENDING);
}

function fieldsOf(path: string, bytes: Buffer | null): Map<string, unknown> {
  if (bytes === null) return new Map();
  if (isSidecar(path)) return sidecarFields(bytes);
  const { frontmatter, texts, bodyOffset } = toSourceRecord(
    { sourcePath: path, mtimeMs: 0, size: bytes.length },
    bytes,
  );
  const body = bytes.toString("utf8", bodyOffset).trim();
  // `1.10` and `1.1` are one number and two texts.
  const entries = Object.entries({ ...frontmatter, ...texts });
  return new Map(body === "" ? entries : [...entries, [BODY, body]]);
}

/** An invalid sidecar counts as empty. */
function sidecarFields(bytes: Buffer): Map<string, unknown> {
  const result = parseYamlMap(bytes.toString("utf8"));
  return new Map("issue" in result ? [] : Object.entries({ ...result.data, ...result.texts }));
}

function limited(path: string, what: string, fields: readonly string[]): Refusal {
  const message = `${JSON.stringify(path)}: ${what} may not be changed; this token may change ${fields.join(", ")}`;
  return new Refusal("ERR_CONTENT_LIMITED", message);
}

/** Names of folders and files that mean the same on every system, and nothing special to the site. */
import { slug } from "github-slugger";
import { splitOrder } from "#lib/text";

const MAX_BYTES = 120;

/** A dot of a version, as in `v3.5`. */
const VERSION_DOT = /(?<=\p{N})\.(?=\p{N})/gu;
/** It is in no address, and stands for such a dot for a moment. */
const KEPT = "\uE000";

/** A folder name for a segment of an address: never a number, module, draft or hidden folder. */
export function folderName(segment: string): string {
  const plain = segment
    .normalize("NFC")
    .replaceAll(KEPT, "-")
    .replaceAll(VERSION_DOT, KEPT)
    .replaceAll(/[^\p{L}\p{N}_\uE000-]+/gu, "-")
    .replaceAll(/-{2,}/g, "-")
    .replace(/^[-_]+|-+$/g, "");
  const dotted = plain.replaceAll(KEPT, ".");
  // With and without a number before it, the name is no number.
  const isName = [dotted, `01.${dotted}`].every((name) => splitOrder(name).rest === dotted);
  const name = shortened(isName ? dotted : plain.replaceAll(KEPT, "-"));
  if (name === "" || name === "node_modules") return "page";
  return name;
}

/** The address of a page for the one that it had. */
export function cleanRoute(route: string): string {
  const parts = route
    .normalize("NFC")
    .split("/")
    .filter((part) => !/^\.*$/.test(part))
    .map(folderName);
  return `/${parts.slice(0, 20).join("/")}`;
}

/** The segment of an address for a title. */
export function toSlug(title: string): string {
  return shortened(slug(title.normalize("NFC")).replace(/^[-_]+|-+$/g, "")) || "page";
}

/** A file name in a folder; the extension stays. */
export function fileName(name: string): string {
  const base = name.normalize("NFC").split(/[/\\]/).at(-1) ?? "";
  const dot = base.lastIndexOf(".");
  const [stem, extension] = dot > 0 ? [base.slice(0, dot), base.slice(dot)] : [base, ""];
  const plain = stem
    .replaceAll(/[^\p{L}\p{N}._-]+/gu, "-")
    .replace(/^[.\-~_]+/, "")
    .replace(/(?<![.-])[.-]+$/, "");
  return (shortened(plain) || "file") + extension.toLowerCase().replaceAll(/[^a-z0-9.]/g, "");
}

/** The name with a number before its extension: `photo-2.jpg`. */
export function numberedName(name: string, number: number): string {
  const dot = name.lastIndexOf(".");
  return dot > 0 ? `${name.slice(0, dot)}-${number}${name.slice(dot)}` : `${name}-${number}`;
}

function shortened(text: string): string {
  if (Buffer.byteLength(text) <= MAX_BYTES) return text;
  let short = "";
  for (const letter of text) {
    if (Buffer.byteLength(short + letter) > MAX_BYTES) break;
    short += letter;
  }
  return short.replace(/(?<!-)-+$/, "");
}

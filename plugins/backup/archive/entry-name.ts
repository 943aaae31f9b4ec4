/** The only rule for names in archives: `site backup` writes no other names and `site restore` accepts no others. */
import { DATABASE, FILES, HEAD_ENTRY, MANIFEST_ENTRY, OUTSIDE_DATABASE } from "./manifest.js";

/** Bytes of a name, and of each of its parts. */
const MAX_NAME_BYTES = 2_000;
const MAX_PART_BYTES = 255;

/** Files that a restore itself works with. */
const OWN = /^\.dune\/(?:swap|cache)(?:[./]|$)/i;

/** Why an entry may not have this name; null for the names that `site backup` writes. */
export function entryProblem(name: string): string | null {
  if ([HEAD_ENTRY, MANIFEST_ENTRY, OUTSIDE_DATABASE].includes(name)) return null;
  if (name.startsWith(DATABASE)) {
    const isTable = /^(?:tables\.json|site_[a-z0-9_]+\.ndjson)$/.test(name.slice(DATABASE.length));
    return isTable ? null : "it is not a table of a site";
  }
  if (!name.startsWith(FILES)) return "it is not a file of a site";
  return pathProblem(name.slice(FILES.length));
}

/** Why a file of a site, by its path below the root, cannot be in an archive; null when it can. */
export function pathProblem(path: string): string | null {
  if (Buffer.byteLength(FILES + path) > MAX_NAME_BYTES) {
    return `its path is longer than ${MAX_NAME_BYTES - FILES.length} bytes`;
  }
  if (OWN.test(path)) return "a restore itself works with files of this name";
  for (const part of path.split("/")) {
    const problem = partProblem(part);
    if (problem !== null) return problem;
  }
  return null;
}

function partProblem(part: string): string | null {
  if (part === "" || part === "." || part === "..") return "its path is not relative to the root";
  if (part === ".git" || part === "node_modules") return `${part} belongs to another program`;
  if (Buffer.byteLength(part) > MAX_PART_BYTES)
    return `a name is longer than ${MAX_PART_BYTES} bytes`;
  if (part.includes("\\")) return "its name has a backslash, which separates folders on Windows";
  // oxlint-disable-next-line no-control-regex -- these are the characters in question
  return /[\u0000-\u001f\u007f]/.test(part) ? "its name has a control character" : null;
}

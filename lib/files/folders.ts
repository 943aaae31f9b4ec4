import { isAbsolute, relative, sep } from "node:path";

/** Folders of the operating system, with all below them. */
const SYSTEM: readonly string[] = [
  "bin",
  "boot",
  "etc",
  "lib",
  "lib64",
  "proc",
  "sbin",
  "sys",
  "usr",
];

/** True for a folder of the operating system, or one in it. `folder`: absolute. */
export function isSystemFolder(folder: string): boolean {
  const [, top, second] = folder.split(sep);
  return top === "" || (SYSTEM.includes(top ?? "") && !(top === "usr" && second === "local"));
}

/** True when one is inside the other, or both are equal. */
export function overlaps(a: string, b: string): boolean {
  return containsPath(a, b) || containsPath(b, a);
}

/** True when `inner` is `outer`, or below it; both absolute. */
export function containsPath(outer: string, inner: string): boolean {
  const path = relative(outer, inner);
  return !isAbsolute(path) && path !== ".." && !path.startsWith(`..${sep}`);
}

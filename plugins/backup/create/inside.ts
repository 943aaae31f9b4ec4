import { isAbsolute, relative, sep } from "node:path";

/** `file` relative to `root` with slashes; null when it lies elsewhere. */
export function inside(root: string, file: string): string | null {
  const path = relative(root, file);
  if (path === "" || path.startsWith("..") || isAbsolute(path)) return null;
  return path.split(sep).join("/");
}

import { relative } from "node:path";

/** A path for people in the current folder: relative to it when that is shorter. `path`: absolute. */
export function pathFromHere(path: string): string {
  const near = relative(process.cwd(), path) || ".";
  return near.length < path.length ? near : path;
}

/** A path as an argument of a shell command, quoted where it has to be. */
export function quotedPath(path: string): string {
  return /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`;
}

/** A path as it may stand in a Markdown link: encoded, parentheses included. */
export function encodePath(path: string): string {
  return path
    .split("/")
    .map((name) => encodeURIComponent(name).replaceAll("(", "%28").replaceAll(")", "%29"))
    .join("/");
}

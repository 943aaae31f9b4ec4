/** Patterns of file names. */

/** Each star may match anything: more of them would take too long. */
const MAX_STARS = 8;

/** Matches paths as a pattern with `*`, `**`, `?` and `{a,b}` does; nothing for one that is too long. */
export function globPattern(glob: string): RegExp {
  const stars = glob.match(/\*+/g)?.length ?? 0;
  if (glob.length > 500 || stars > MAX_STARS) return /^(?!)/;
  const source = glob
    .replace(/^\.?\//, "")
    .replaceAll(/\*\*\/|\*+|\?|\{([^{}]*)\}|[.+^$()|[\]\\{}]/g, (mark, list?: string) => {
      if (mark === "**/") return "(?:[^/]+/)*";
      if (mark.startsWith("**")) return ".*";
      if (mark === "*") return "[^/]*";
      if (mark === "?") return "[^/]";
      if (list === undefined) return `\\${mark}`;
      const choices = list.split(",").map((one) => globPattern(one).source.slice(1, -1));
      return `(?:${choices.join("|")})`;
    });
  return new RegExp(`^${source}$`);
}

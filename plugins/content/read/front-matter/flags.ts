/** Switches of front matter. */
import { isMap } from "./full-yaml.js";

/** True or false, also as the words of YAML 1.1; null for any other value. */
export function toFlag(value: unknown): boolean | null {
  if (typeof value === "boolean") return value;
  if (typeof value !== "string") return null;
  if (/^(yes|on|true|1)$/i.test(value)) return true;
  return /^(no|off|false|0)$/i.test(value) ? false : null;
}

/** True when `_build` or `build` switches something off: `render: never` has no page, `list: never` no entry. */
export function buildOption(
  frontmatter: Readonly<Record<string, unknown>>,
  option: "render" | "list",
): boolean {
  const { _build, build } = frontmatter;
  return [_build, build].some((given) => {
    if (!isMap(given)) return false;
    const value = given[option];
    return value === "never" || value === false || (option === "render" && value === "link");
  });
}

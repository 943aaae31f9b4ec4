/** Joins class names; false, null and empty values are dropped. Undefined when nothing remains. */
export function cx(...names: (string | false | null | undefined)[]): string | undefined {
  const kept = names.filter((name) => typeof name === "string" && name !== "");
  return kept.length === 0 ? undefined : kept.join(" ");
}

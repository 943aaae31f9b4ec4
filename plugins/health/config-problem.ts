import type { ConfigState } from "#kernel/internal";

/** Health check of the configuration on the disk; null: the site runs with it. */
export function configProblem({ state, problems }: ConfigState): string | null {
  if (state === "valid") return null;
  const places = problems.map(({ file, line, key }) => {
    const place = file === null ? "" : `${file}:${line}`;
    return [place, key ?? ""].filter((part) => part !== "").join(" ");
  });
  const where = places.filter((place) => place !== "").join(", ");
  const at = where === "" ? "" : ` (${where})`;
  return `the changed configuration is invalid${at}: the site runs with the one before`;
}

import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Paths, Settings, SettingsProblem } from "#kernel";
import type {} from "../contract.js";
import { toRoute } from "../view/address.js";
import { pathProblem, RedirectTable, type RedirectMatch } from "../view/redirects.js";

/** Redirects that a browser follows at most. */
const MAX_STEPS = 20;

type MapName = "redirects" | "routes";

/** Reports each cycle of redirects or aliases once. */
export function checkSettings({ site }: Settings): SettingsProblem[] {
  return [...circles("redirects", site.redirects), ...circles("routes", site.routes)];
}

/** A folder of pages that does not exist. */
export function inspectFolder(
  { system }: Settings,
  { root }: Pick<Paths, "root">,
): SettingsProblem[] {
  const { dir } = system.content;
  if (existsSync(join(root, dir))) return [];
  return [
    {
      file: "system",
      key: "content.dir",
      received: dir,
      expected: "a folder that exists",
      fix: `create the folder ${dir}/, or correct the name; it starts at the site root`,
    },
  ];
}

function circles(name: MapName, map: Readonly<Record<string, string>>): SettingsProblem[] {
  const problems: SettingsProblem[] = [];
  const done = new Set<string>();
  const table = new RedirectTable(map);
  for (const start of Object.keys(map)) {
    const circle = findCircle(start, table, done);
    const [first] = circle;
    if (first === undefined) continue;
    problems.push({
      file: "site",
      key: `${name}.${first}`,
      received: map[first],
      expected: `an address that does not lead back: ${[...circle, first].join(" → ")}`,
      fix: "remove one of these lines",
    });
  }
  return problems;
}

/** The keys of the cycle reached from `start`; empty without a new cycle. */
function findCircle(start: string, table: RedirectTable, done: Set<string>): string[] {
  const way: { readonly address: string; readonly from: string }[] = [];
  // Stays as written: decoding is for comparing only.
  let written: string | null = start.replace(/\*$/, "-");
  let address: string | null = addressKey(written);
  let belows = 0;
  while (address !== null && !done.has(address)) {
    const match: RedirectMatch | null = table.matchAddress(written ?? "");
    if (match === null) return [];
    done.add(address);
    way.push({ address, from: match.from });
    if (match.from.endsWith("/*")) belows += 1;
    // `/a/*: /a/b/:splat` never comes back to the same address.
    if (belows > MAX_STEPS) return [...new Set(way.slice(-MAX_STEPS).map(({ from }) => from))];
    written = pathProblem(match.to) === null ? match.to : null;
    address = written === null ? null : addressKey(written);
  }
  const first = way.findIndex((step) => step.address === address);
  return first < 0 ? [] : way.slice(first).map(({ from }) => from);
}

/** An address as it is looked up: decoded, with its query, without fragment. */
function addressKey(address: string): string {
  const [path = "", ...query] = address.replace(/#.*$/s, "").split("?");
  return [toRoute(path).replace(/[?]/g, "%3F"), ...query].join("?");
}

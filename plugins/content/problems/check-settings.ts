import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Settings, SettingsProblem } from "#kernel";
import type {} from "../contract.js";
import { hasQuery, QueryRedirects } from "../view/query-redirects.js";

interface Addresses {
  readonly map: Readonly<Record<string, string>>;
  readonly queries: QueryRedirects;
}
type MapName = "redirects" | "routes";

/** Reports each cycle of redirects or aliases once. */
export function checkSettings({ site }: Settings): SettingsProblem[] {
  return [...circles("redirects", site.redirects), ...circles("routes", site.routes)];
}

/** A folder of pages that does not exist. */
export function inspectFolder({ system }: Settings, { root }: { root: string }): SettingsProblem[] {
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
  const queries = new QueryRedirects(Object.entries(map).filter(([from]) => hasQuery(from)));
  for (const start of Object.keys(map)) {
    const circle = circleFrom(start, { map, queries }, done);
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

/** The addresses of the cycle reached from `start`; empty without a new cycle. */
function circleFrom(start: string, { map, queries }: Addresses, done: Set<string>): string[] {
  const way: string[] = [];
  let address: string | undefined = start;
  while (address !== undefined && !done.has(address) && Object.hasOwn(map, address)) {
    done.add(address);
    way.push(address);
    address = nextOf(map[address], queries);
  }
  const from = address === undefined ? -1 : way.indexOf(address);
  return from < 0 ? [] : way.slice(from);
}

/** The address that is looked up next: of a redirect with the query of the target, else its path. */
function nextOf(target: string | undefined, queries: QueryRedirects): string | undefined {
  if (target?.startsWith("/") !== true) return undefined;
  const [path = "", search = ""] = target.replace(/#.*$/s, "").split("?", 2);
  return queries.match(path, search)?.from ?? path;
}

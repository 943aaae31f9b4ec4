import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Settings, SettingsProblem } from "#kernel";
import type {} from "../contract.js";

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
  for (const start of Object.keys(map)) {
    const circle = circleFrom(start, map, done);
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
function circleFrom(
  start: string,
  map: Readonly<Record<string, string>>,
  done: Set<string>,
): string[] {
  const way: string[] = [];
  let address: string | undefined = start;
  while (address !== undefined && !done.has(address) && Object.hasOwn(map, address)) {
    done.add(address);
    way.push(address);
    address = pathOf(map[address]);
  }
  const from = address === undefined ? -1 : way.indexOf(address);
  return from < 0 ? [] : way.slice(from);
}

/** An address without query and fragment, as the next redirect is looked up. */
function pathOf(target: string | undefined): string | undefined {
  return target?.startsWith("/") ? target.replace(/[?#].*$/, "") : undefined;
}

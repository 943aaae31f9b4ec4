import type { VersionContract } from "../../plugins/upgrade/plan/version-contract.js";

/** A change between the contracts of two versions. */
export interface ContractChange {
  /** `break`: what worked with the older version may fail with the newer one; `addition`: the rest. */
  readonly level: "break" | "addition";
  /** What it is, such as `route`. */
  readonly kind: string;
  /** Its name, such as `GET /api/pages`. */
  readonly name: string;
  /** A sentence without a full stop. */
  readonly text: string;
}

/** What one version promises, by kind and name: a text that differs says what changed. */
type Promises = ReadonlyMap<string, ReadonlyMap<string, string>>;

/** The changes from one version's contract to another's, breaks first. */
export function contractChanges(from: VersionContract, to: VersionContract): ContractChange[] {
  const [before, after] = [promisesOf(from), promisesOf(to)];
  const changes = [...before].flatMap(([kind, names]) =>
    compare(kind, names, after.get(kind) ?? new Map()),
  );
  return changes.toSorted((a, b) => Number(b.level === "break") - Number(a.level === "break"));
}

function compare(
  kind: string,
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
): ContractChange[] {
  const gone = [...before].flatMap(([name, was]): ContractChange[] => {
    const is = after.get(name);
    if (is === was) return [];
    const text =
      is === undefined
        ? `${kind} ${name} no longer exists`
        : `${kind} ${name} becomes ${is || "nothing"}, before: ${was || "nothing"}`;
    return [{ level: "break", kind, name, text }];
  });
  const added = [...after.keys()].filter((name) => !before.has(name));
  return [
    ...gone,
    ...added.map(
      (name) => ({ level: "addition", kind, name, text: `${kind} ${name} is new` }) as const,
    ),
  ];
}

function promisesOf(contract: VersionContract): Promises {
  const { node, pluginApi, plugins, hooks, services, slots, routes, settings } = contract;
  const { commands, templates, exports } = contract;
  const members = (of: VersionContract["services"]) =>
    Object.entries(of).flatMap(([name, { members: names }]) => [
      [name, ""] as const,
      ...names.map((member) => [`${name}.${member}`, ""] as const),
    ]);
  return new Map([
    ["Node.js", new Map([["range", node]])],
    ["plugin API", new Map([["version", pluginApi]])],
    ["plugin", new Map(plugins.map((name) => [name, ""]))],
    [
      "hook",
      new Map(Object.entries(hooks).map(([name, one]) => [name, `${one.kind} of ${one.payload}`])),
    ],
    ["service", new Map(members(services))],
    ["slot", new Map(members(slots))],
    [
      "route",
      new Map(
        routes.flatMap(({ method, path, parameters }) => [
          [`${method.toUpperCase()} ${path}`, ""],
          ...parameters.map((name) => [`${method.toUpperCase()} ${path}?${name}`, ""] as const),
        ]),
      ),
    ],
    [
      "key",
      new Map(
        Object.entries(settings).flatMap(([file, rows]) =>
          rows.map(({ key, type, default: fallback }) => [
            `${file}.${key}`,
            `${type} (default: ${fallback ?? "none"})`,
          ]),
        ),
      ),
    ],
    [
      "command",
      new Map(
        Object.entries(commands).flatMap(([name, { options }]) => [
          [name, ""],
          ...options.map((flags) => [`${name} ${flags}`, ""] as const),
        ]),
      ),
    ],
    ["template", new Map(templates.map((name) => [name, ""]))],
    [
      "export",
      new Map(
        Object.entries(exports).flatMap(([address, names]) =>
          names.map((name) => [`${address} ${name}`, ""]),
        ),
      ),
    ],
  ]);
}

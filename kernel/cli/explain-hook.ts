import type { CommandInput, HookName, HookOrder, HookStat, Plugin } from "../contracts.js";
import { SiteError } from "../errors.js";
import type { LoadedSite } from "../load-site.js";
import { nearest } from "../nearest.js";

/** A handler of a hook, as `plugins:explain` tells it. */
export interface ExplainedHandler {
  place: number;
  plugin: string;
  version: string;
  firstParty: boolean;
  /** Why it stands at this place. */
  why: string;
}

/** Which plugin handles a hook, in which order and why; the site is booted, nothing is fired. */
export async function explainHook(loaded: LoadedSite, input: CommandInput): Promise<number> {
  const [name = ""] = input.args;
  const site = await input.site();
  const kind = site.hooks.declared().get(name);
  if (kind === undefined) throw unknownHook(name, [...site.hooks.declared().keys()]);
  // Only a name that is declared gets this far.
  const hook = name as HookName;
  const handlers = site.hooks.handlers(hook);
  const explained = handlers.map((handler, at): ExplainedHandler => {
    const entry = loaded.plugins.find(({ plugin }) => plugin.name === handler.plugin);
    return {
      place: at + 1,
      plugin: handler.plugin,
      version: entry?.plugin.version ?? "",
      firstParty: entry?.firstParty ?? true,
      why: reason(handler, entry?.plugin, loaded),
    };
  });
  if (input.options["json"] === true) input.out.json({ hook: name, kind, handlers: explained });
  else print({ name, kind, explained, stats: site.hooks.stats() }, input);
  return 0;
}

function unknownHook(name: string, known: readonly string[]): SiteError {
  const meant = nearest(name, known);
  return new SiteError("ERR_HOOK_UNKNOWN", `no plugin declares the hook ${JSON.stringify(name)}`, {
    fix: meant === null ? `there are: ${[...known].sort().join(", ")}` : `did you mean ${meant}?`,
  });
}

/** The handler's own wish first, then the place of its plugin and what gave it that place. */
function reason(
  { plugin: name, order }: { plugin: string; order: HookOrder },
  plugin: Plugin | undefined,
  { plugins }: LoadedSite,
): string {
  const rank = plugins.findIndex((entry) => entry.plugin.name === name) + 1;
  const present = (names: readonly string[] = []): string[] =>
    names.filter((other) => plugins.some((entry) => entry.plugin.name === other));
  const [requires, after] = [plugin?.requires ?? [], present(plugin?.after)];
  const wishes = [
    order.before === undefined ? "" : `asks to run before ${order.before}`,
    order.after === undefined ? "" : `asks to run after ${order.after}`,
    `plugin ${rank} of ${plugins.length}`,
    requires.length === 0 ? "" : `requires ${requires.join(", ")}`,
    after.length === 0 ? "" : `comes after ${after.join(", ")}`,
  ];
  return wishes.filter((wish) => wish !== "").join("; ");
}

const KINDS: Readonly<Record<string, string>> = {
  create: "at the start; a handler that fails stops it",
  transform: "each handler may change what goes on; one that fails is passed over",
  notify: "after the fact; one that fails is logged",
};

function print(
  told: {
    name: string;
    kind: string;
    explained: readonly ExplainedHandler[];
    stats: readonly HookStat[];
  },
  { out }: CommandInput,
): void {
  const { bold, dim } = out.colour;
  out.line(`${bold(told.name)}  ${told.kind}: ${KINDS[told.kind] ?? ""}`);
  if (told.explained.length === 0) out.line("  nobody handles it");
  for (const { place, plugin, version, firstParty, why } of told.explained) {
    const { calls = 0, totalMs = 0 } =
      told.stats.find((stat) => stat.plugin === plugin && stat.hook === told.name) ?? {};
    const timing = calls === 0 ? "" : `, ${(totalMs / calls).toFixed(2)} ms a call at this start`;
    const origin = firstParty ? "" : " (not of the house)";
    out.line(`  ${place}. ${bold(plugin)} ${version}${origin}  ${dim(why + timing)}`);
  }
}

import { SiteError } from "#lib/errors";
import { nearest } from "#lib/values";
import type {
  EngineInfo,
  ExtensionInfo,
  HookName,
  HookOrder,
  HookStat,
  LoadedSite,
  Plugin,
  ToolInput,
} from "#kernel";

/** A handler of a hook, as `plugins:explain` prints it. */
export interface ExplainedHandler {
  place: number;
  plugin: string;
  version: string;
  firstParty: boolean;
  /** Why it has this position. */
  why: string;
}

/**
 * Lists the handlers of a hook, in order and with the reason, the engines of a slot, or what plugins add to
 * an extension list; boots the site but fires nothing.
 */
export async function explainHook(input: ToolInput): Promise<number> {
  const loaded = await input.inspect();
  const [name = ""] = input.args;
  const site = await input.site();
  const slots = site.engines.list();
  const slot = slots.find((entry) => entry.slot === name);
  if (slot !== undefined) return explainSlot(slot, input);
  const lists = site.extensions.list();
  const list = lists.find((entry) => entry.list === name);
  if (list !== undefined) return explainList(list, input);
  const kind = site.hooks.declared().get(name);
  if (kind === undefined) {
    throw unknownHook(name, [
      ...site.hooks.declared().keys(),
      ...slots.map((entry) => entry.slot),
      ...lists.map((entry) => entry.list),
    ]);
  }
  // Undeclared names have been rejected before.
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

/** Prints the plugin that opened a slot, and the implementations registered in `setup`. */
function explainSlot(slot: EngineInfo, { out, options }: ToolInput): number {
  if (options["json"] === true) {
    out.json(slot);
    return 0;
  }
  const { bold, dim } = out.colour;
  out.line(`${bold(slot.slot)}  slot of ${slot.plugin}`);
  if (slot.engines.length === 0) out.line("  no engine is registered");
  for (const engine of slot.engines) {
    out.line(`  ${engine}${engine === slot.active ? `  ${dim("active")}` : ""}`);
  }
  return 0;
}

/** Prints the plugin that reads an extension list, and those that add to it. */
function explainList(list: ExtensionInfo, { out, options }: ToolInput): number {
  if (options["json"] === true) {
    out.json(list);
    return 0;
  }
  const { bold } = out.colour;
  out.line(`${bold(list.list)}  extension list of ${list.plugin}`);
  if (list.from.length === 0) out.line("  no plugin adds to it");
  for (const plugin of list.from) out.line(`  ${plugin}`);
  return 0;
}

function unknownHook(name: string, hooks: readonly string[]): SiteError {
  const meant = nearest(name, hooks);
  return new SiteError(
    "ERR_HOOK_UNKNOWN",
    `no plugin declares the hook, slot or extension list ${JSON.stringify(name)}`,
    {
      fix:
        meant === null ? `known names: ${[...hooks].sort().join(", ")}` : `did you mean ${meant}?`,
      exitCode: 2,
    },
  );
}

/** A handler with the order that it asks for. */
interface OrderedHandler {
  readonly plugin: string;
  readonly order: HookOrder;
}

/** The handler's own order first, then the position of its plugin and the reason for it. */
function reason(
  { plugin: name, order }: OrderedHandler,
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
    after.length === 0 ? "" : `runs after ${after.join(", ")}`,
  ];
  return wishes.filter((wish) => wish !== "").join("; ");
}

const KINDS: Readonly<Record<string, string>> = {
  create: "at startup; a failing handler stops it",
  transform: "each handler may change the payload; a failing handler is skipped",
  notify: "after the fact; a failing handler is logged",
};

/** A hook with its handlers, in order. */
interface ExplainedHook {
  readonly name: string;
  readonly kind: string;
  readonly explained: readonly ExplainedHandler[];
  /** Statistics of all hooks at this startup. */
  readonly stats: readonly HookStat[];
}

function print({ name, kind, explained, stats }: ExplainedHook, { out }: ToolInput): void {
  const { bold, dim } = out.colour;
  out.line(`${bold(name)}  ${kind}: ${KINDS[kind] ?? ""}`);
  if (explained.length === 0) out.line("  no handlers");
  for (const { place, plugin, version, firstParty, why } of explained) {
    const { calls = 0, totalMs = 0 } =
      stats.find((stat) => stat.plugin === plugin && stat.hook === name) ?? {};
    const timing =
      calls === 0 ? "" : `, ${(totalMs / calls).toFixed(2)} ms per call at this startup`;
    const origin = firstParty ? "" : " (third-party)";
    out.line(`  ${place}. ${bold(plugin)} ${version}${origin}  ${dim(why + timing)}`);
  }
}

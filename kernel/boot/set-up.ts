import { expectFields } from "#lib/values";
import { SiteError } from "#lib/errors";
import { expectAnswer, expectJson } from "../http/response/answer.js";
import { expectStatus } from "#lib/http";
import type { Logger, SiteContext } from "../contracts.js";
import { asPlugin } from "../call-check.js";
import { CreateHookError } from "../hooks/hooks.js";
import { failureFields } from "./describe-failure.js";
import { movedFix } from "./moved-members.js";
import { PATIENT, setupLimitMs, withPatience } from "./patience.js";
import type { LoadedSite } from "./load-site.js";
import type { SiteRegistries } from "./site-context.js";

/** Step 5: declares the hooks of the kernel and of the plugins, then sets up each plugin. */
export async function setUp(site: SiteRegistries, loaded: LoadedSite, log: Logger): Promise<void> {
  site.bus.declare("kernel", KERNEL_HOOKS);
  for (const { plugin } of loaded.enabled) site.bus.declare(plugin.name, plugin.fires);
  for (const [rank, { plugin }] of loaded.plugins.entries()) {
    const context = site.contextFor(plugin.name, rank);
    subscribe(context, plugin.hooks ?? {});
    try {
      const say = (seconds: number): void =>
        log.warn("plugin.slow", { slow: plugin.name, step: "setup", seconds });
      const work = `plugin ${JSON.stringify(plugin.name)}: its setup`;
      const patience = { ...PATIENT, work, say, limitMs: setupLimitMs(plugin) };
      const run = (): unknown =>
        asPlugin(plugin.name, () => withPatience(() => plugin.setup?.(context), patience));
      await site.boot.time("setup", plugin.name, run);
    } catch (error) {
      fail(site, { name: plugin.name, optional: plugin.optional === true, error, log });
    }
  }
}

/** The hooks that the kernel fires. */
export const KERNEL_HOOKS = {
  onConfigLoaded: "create",
  onStorageReady: "create",
  onRequest: {
    kind: "transform",
    check: expectFields({ req: ["object"], answer: expectAnswer }),
  },
  onResponse: "notify",
  onApiRequest: { kind: "transform", check: expectFields({ req: ["object"] }) },
  onApiResponse: {
    kind: "transform",
    check: expectFields({ req: ["object"], status: expectStatus, body: expectJson }),
  },
} as const;

function subscribe(context: SiteContext, hooks: object): void {
  // `assertKnown` checks the names once every plugin has declared its own.
  const entries = Object.entries(hooks) as [Parameters<SiteContext["hooks"]["on"]>[0], unknown][];
  for (const [name, entry] of entries) {
    if (typeof entry === "function") context.hooks.on(name, (input) => entry(input));
    else if (typeof entry === "object" && entry !== null && "handler" in entry) {
      const { handler, ...order } = entry;
      if (typeof handler === "function") context.hooks.on(name, (input) => handler(input), order);
    }
  }
}

/** A failure of a plugin. */
export interface Failure {
  name: string;
  optional: boolean;
  error: unknown;
  log: Logger;
}

/** A failure of an optional plugin is recorded; any other ends the boot. */
export function fail(site: SiteRegistries, { name, optional, error, log }: Failure): void {
  const fields = failureFields(error);
  const message = fields.error;
  // The log has it as `hook.failed`, with the plugin of the handler.
  const isLogged = error instanceof CreateHookError;
  const atFault = error instanceof SiteError ? error.plugin : undefined;
  if (!isLogged || optional) log.error("plugin.failed", { failed: atFault ?? name, ...fields });
  if (!optional) {
    if (error instanceof SiteError) throw error;
    throw new SiteError("ERR_PLUGIN_SETUP", `plugin "${name}" could not start: ${message}`, {
      cause: error,
      fix: movedFix(message) ?? `fix it, or disable it: plugins: { ${name}: { enabled: false } }`,
    });
  }
  site.failures.set(name, message);
}

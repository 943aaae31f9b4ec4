import {
  type Command,
  type CommandInput,
  ConfigFileWriter,
  readRawConfig,
  type SiteContext,
} from "#kernel";
import { addPluginEntry } from "#lib/packages";
import { nearest } from "#lib/values";
import {
  ENGINE_SLOTS,
  type EngineSlotName,
  pluginStub,
  toSource,
  type PluginWishes,
  themeStub,
} from "./stubs.js";
import { CLIENT_FILE, clientFiles } from "./client-file.js";
import { codegenFailure } from "./errors.js";
import { siteTypes, TYPES_FILE } from "./site-types.js";
import { outdatedFiles, writeDerived, writeStub, type GeneratedFiles } from "./write-files.js";

const NAME = /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/;
const HOOK = /^on[A-Z]\w{0,60}$/;

/** `site codegen [client|plugin|theme] [name]`. */
export const codegen: Command = {
  name: "codegen",
  summary: "write the types of this site, a client of its API, or a starter plugin or theme",
  arguments: "[kind] [name]",
  options: [
    ["--hook <names...>", "plugin: handle these hooks"],
    ["--engine <slot>", `plugin: provide an engine (${ENGINE_SLOTS.join(", ")})`],
    ["--route <path>", "plugin: handle GET requests for this path"],
    ["--register", "plugin: add it to site.yaml"],
    ["--parent <theme>", "theme: inherit from this one (default: default)"],
    ["--out <file>", `client: the file, below the site's folder (default: ${CLIENT_FILE})`],
    ["--admin", "client: the admin API too"],
    ["--force", "overwrite existing files"],
    ["--check", "write nothing; exit 1 when generated files are out of date"],
    ["--json", "print JSON"],
  ],
  async run(input) {
    const [kind, name] = input.args;
    if (kind === undefined || kind === "types")
      return derive(input, new Map([[TYPES_FILE, await siteTypes(await input.site())]]));
    if (kind === "client") return derive(input, await clientFiles(input));
    if (kind === "plugin") return plugin(input, await pluginWishes(input, name));
    if (kind === "theme") {
      const parent = checkName(toText(input.options["parent"]) ?? "default", "theme");
      return stub(input, themeStub(checkName(name, "theme"), parent));
    }
    const hint = nearest(kind, ["client", "plugin", "theme", "types"]);
    throw codegenFailure("ERR_CODEGEN_KIND", `${JSON.stringify(kind)} is not a kind of output`, {
      fix: hint === null ? "use client, plugin, theme or nothing" : `did you mean "${hint}"?`,
    });
  },
};

/** Checks that the plugin can be registered before anything is written. */
async function plugin(input: CommandInput, wishes: PluginWishes): Promise<number> {
  const src = toSource(wishes.name);
  const isAsked = input.options["register"] === true;
  if (isAsked) await assertRegistrable(input.root, src);
  const code = await stub(input, pluginStub(wishes));
  if (!isAsked) return code;
  const counts = await register(input.root, src);
  if (!counts) {
    input.out.error("site.yaml lists it, but an overlay in env/ overrides site.yaml");
    return 1;
  }
  if (input.options["json"] !== true) input.out.line(`${src} is listed in site.yaml`);
  return code;
}

async function derive(input: CommandInput, files: GeneratedFiles): Promise<number> {
  const isCheck = input.options["check"] === true;
  const force = input.options["force"] === true;
  const changed = isCheck
    ? await outdatedFiles(input.root, files)
    : await writeDerived(input.root, files, { force });
  report(input, { verb: isCheck ? "outdated" : "wrote", files, changed });
  return isCheck && changed.length > 0 ? 1 : 0;
}

async function stub(input: CommandInput, files: GeneratedFiles): Promise<number> {
  const force = input.options["force"] === true;
  const changed = await writeStub(input.root, files, { force });
  report(input, { verb: "wrote", files, changed });
  return 0;
}

interface Outcome {
  verb: string;
  files: GeneratedFiles;
  changed: readonly string[];
}

function report({ out, options }: CommandInput, { verb, files, changed }: Outcome): void {
  if (options["json"] === true) {
    out.json({ files: [...files.keys()], changed });
    return;
  }
  for (const path of changed) out.line(`${out.colour.green(verb)} ${path}`);
  if (changed.length === 0) out.line("up to date");
  const readme = changed.find((path) => path.endsWith("README.md"));
  if (readme !== undefined && options["register"] !== true)
    out.line(`not selected yet: see ${readme}`);
}

async function pluginWishes(input: CommandInput, name: string | undefined): Promise<PluginWishes> {
  const { options } = input;
  const hooks = Array.isArray(options["hook"]) ? options["hook"].map(String) : [];
  if (hooks.length > 0) checkHooks(hooks, await input.site());
  return {
    name: checkName(name, "plugin"),
    hooks,
    engine: checkEngine(toText(options["engine"])),
    route: checkRoute(toText(options["route"])),
  };
}

/** The name, if it is valid as folder, configuration key and part of an identifier. @throws ERR_CODEGEN_NAME. */
export function checkName(name: string | undefined, kind: string): string {
  if (name !== undefined && name.length <= 60 && NAME.test(name)) return name;
  throw codegenFailure(
    "ERR_CODEGEN_NAME",
    `the ${kind} cannot be named ${JSON.stringify(name ?? "")}`,
    {
      fix: `write site codegen ${kind} my-${kind}: lower-case letters, digits and hyphens`,
    },
  );
}

function checkHooks(hooks: readonly string[], site: SiteContext): void {
  const declared = [...site.hooks.declared().keys()];
  for (const hook of hooks) {
    if (HOOK.test(hook) && declared.includes(hook)) continue;
    const hint = nearest(hook, declared);
    throw codegenFailure(
      "ERR_CODEGEN_HOOK",
      `no plugin declares the hook ${JSON.stringify(hook)}`,
      {
        fix: hint === null ? "see site plugins:explain" : `did you mean "${hint}"?`,
      },
    );
  }
}

function checkEngine(slot: string | null): EngineSlotName | null {
  if (slot === null) return null;
  const engineSlot = ENGINE_SLOTS.find((one) => one === slot);
  if (engineSlot !== undefined) return engineSlot;
  throw codegenFailure("ERR_CODEGEN_ENGINE", `there is no stub for ${JSON.stringify(slot)}`, {
    fix: `use one of ${ENGINE_SLOTS.join(", ")}`,
  });
}

function checkRoute(path: string | null): string | null {
  if (path === null || /^\/[\w\-/:.]*$/.test(path)) return path;
  throw codegenFailure("ERR_CODEGEN_ROUTE", `${JSON.stringify(path)} is not the path of a route`, {
    fix: "write it from the root, such as /api/boats",
  });
}

function toText(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}

/** @throws ERR_CONFIG_KEY when the plugin cannot be added to site.yaml. */
export async function assertRegistrable(root: string, src: string): Promise<void> {
  addPluginEntry((await new ConfigFileWriter(root).read("site")).text, src);
}

/** Adds the source to `plugins:` of site.yaml; keeps comments and order. False when an overlay in env/ overrides it. */
export async function register(root: string, src: string): Promise<boolean> {
  await new ConfigFileWriter(root).edit("site", ({ text }) => addPluginEntry(text, src));
  const { site } = await readRawConfig(root);
  return Object.values(Object(site["plugins"])).some((entry) => entrySource(entry) === src);
}

function entrySource(entry: unknown): unknown {
  return typeof entry === "object" && entry !== null && "src" in entry ? entry.src : entry;
}
